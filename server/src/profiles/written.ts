import type { PublicUser } from "@alcove/contract/users";
import type { Sealing } from "../platform/sealing.ts";

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
