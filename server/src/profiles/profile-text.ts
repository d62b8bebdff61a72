import type { PublicUser } from "@alcove/contract/users";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import type { Encryption } from "../platform/security/encryption.ts";

/** The encrypted fields of a profile, under their wire names. */
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

/** Caches the text by its encrypted bytes, because a chat reads the same profiles repeatedly. */
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

export function evictProfileText(memberId: number): void {
  cache.delete(memberId);
}
