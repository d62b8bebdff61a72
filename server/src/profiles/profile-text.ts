import type { PublicUser } from "@alcove/contract/users";
import { Memory } from "../platform/lib/bounded-cache.ts";
import type { Sealing } from "../platform/security/encryption.ts";

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

const contextOf = (no: number): string => `profiles.sealed_profile:${no}`;

export function sealWritten(sealing: Sealing, no: number, form: WrittenForm): Buffer {
  const written = Object.fromEntries(writtenFields.map((field) => [field, form[field] ?? null]));
  return sealing.seal(JSON.stringify(written), contextOf(no));
}

export function openWritten(sealing: Sealing, no: number, sealed: Buffer): Written {
  return JSON.parse(sealing.open(sealed, contextOf(no))) as Written;
}

const remembered = new Memory<number, { readonly sealed: Buffer; readonly written: Written }>();

/**
 * The same for whoever is looked at again and again, as in a chat: what was opened is remembered with what it was opened
 * from, and holds as long as that is what is stored.
 */
export function openRemembered(sealing: Sealing, no: number, sealed: Buffer): Written {
  const known = remembered.get(no);
  if (known?.sealed.equals(sealed)) return known.written;
  const written = openWritten(sealing, no, sealed);
  remembered.set(no, { sealed, written });
  return written;
}

/** Forgets what a member wrote that was deleted. */
export function forgetWritten(no: number): void {
  remembered.forget(no);
}
