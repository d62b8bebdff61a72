import type { User } from "@alcove/contract/users";

/** About two sentences; a Chinese or Japanese character has three bytes. */
const SHORT_BYTES = 120;

/** The one thing that would help this card most; null if nothing is missing. */
export function mostUsefulAddition({
  purpose,
  pictures,
  description,
  hobby,
}: Pick<User, "purpose" | "pictures" | "description" | "hobby">):
  | "addPurpose"
  | "addPicture"
  | "addWords"
  | "addHobby"
  | null {
  if (!purpose) return "addPurpose";
  if (pictures.length < 2) return "addPicture";
  if (new TextEncoder().encode(description).length < SHORT_BYTES) return "addWords";
  return hobby ? null : "addHobby";
}
