import type { PublicUser } from "@alcove/contract/users";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import type { Encryption } from "../platform/security/encryption.ts";

/** What a member writes about itself, under the wire's names: the sealed part of a profile. */
export type ProfileText = Pick<PublicUser, (typeof textFields)[number]>;

const textFields = [
  "username",
  "description",
  "how_long_married",
  "how_long_married_unit",
  "tall",
  "tall_unit",
  "weight",
  "weight_unit",
  "salary",
  "salary_unit",
  "salary_duration",
  "purpose",
  "hobby",
  "twitter",
  "instagram",
  "facebook",
  "line",
] as const;

/** A form's fields, those that were left out being undefined. */
type ProfileTextForm = { [Field in keyof ProfileText]?: ProfileText[Field] };

const contextOf = (memberId: number): string => `profiles.encrypted_profile:${memberId}`;

export function encryptProfileText(encryption: Encryption, memberId: number, form: ProfileTextForm): Buffer {
  const text = Object.fromEntries(textFields.map((field) => [field, form[field] ?? null]));
  return encryption.encrypt(JSON.stringify(text), contextOf(memberId));
}

export function decryptProfileText(encryption: Encryption, memberId: number, encrypted: Buffer): ProfileText {
  return JSON.parse(encryption.decrypt(encrypted, contextOf(memberId))) as ProfileText;
}

const cache = new BoundedCache<number, { readonly encrypted: Buffer; readonly text: ProfileText }>();

/**
 * The same for whoever is looked at again and again, as in a chat: what was opened is remembered with what it was opened
 * from, and holds as long as that is what is stored.
 */
export function decryptCachedProfileText(
  encryption: Encryption,
  memberId: number,
  encrypted: Buffer,
): ProfileText {
  const cached = cache.get(memberId);
  if (cached?.encrypted.equals(encrypted)) return cached.text;
  const text = decryptProfileText(encryption, memberId, encrypted);
  cache.set(memberId, { encrypted, text: text });
  return text;
}

/** Forgets what a member wrote that was deleted. */
export function evictProfileText(memberId: number): void {
  cache.delete(memberId);
}
