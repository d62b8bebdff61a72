import type { PublicUser } from "@alcove/contract/users";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import type { Encryption } from "../platform/security/encryption.ts";

/** What a member writes about itself, under the wire's names: the sealed part of a profile. */
export type Written = Pick<PublicUser, (typeof writtenFields)[number]>;

const writtenFields = [
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
type WrittenForm = { [Field in keyof Written]?: Written[Field] };

const contextOf = (memberId: number): string => `profiles.encrypted_profile:${memberId}`;

export function sealWritten(encryption: Encryption, memberId: number, form: WrittenForm): Buffer {
  const written = Object.fromEntries(writtenFields.map((field) => [field, form[field] ?? null]));
  return encryption.encrypt(JSON.stringify(written), contextOf(memberId));
}

export function openWritten(encryption: Encryption, memberId: number, encrypted: Buffer): Written {
  return JSON.parse(encryption.decrypt(encrypted, contextOf(memberId))) as Written;
}

const remembered = new BoundedCache<number, { readonly encrypted: Buffer; readonly written: Written }>();

/**
 * The same for whoever is looked at again and again, as in a chat: what was opened is remembered with what it was opened
 * from, and holds as long as that is what is stored.
 */
export function openRemembered(encryption: Encryption, memberId: number, encrypted: Buffer): Written {
  const known = remembered.get(memberId);
  if (known?.encrypted.equals(encrypted)) return known.written;
  const written = openWritten(encryption, memberId, encrypted);
  remembered.set(memberId, { encrypted, written });
  return written;
}

/** Forgets what a member wrote that was deleted. */
export function forgetWritten(memberId: number): void {
  remembered.delete(memberId);
}
