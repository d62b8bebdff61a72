import type { NoteKind, NoteVisibility, User } from "@alcove/contract/users";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import { type Encryption, nonceOf } from "../platform/keys/encryption.ts";

/** A post of the API. The week's reply is a note too. `day` is in `DAY_TIME_ZONE`. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly visibility: NoteVisibility;
  readonly kind: NoteKind;
  readonly day: string;
}

export interface ProfileText extends Pick<User, (typeof textFields)[number]> {
  /** Newest first. */
  readonly notes: readonly Note[];
}

const textFields = [
  "date_of_birth",
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

type ProfileTextForm = Pick<ProfileText, "date_of_birth"> & Partial<ProfileText>;

const contextOf = (memberId: number): string => `profiles.encrypted_profile:${memberId}`;

export async function encryptProfileText(
  encryption: Encryption,
  memberId: number,
  form: ProfileTextForm,
): Promise<Buffer> {
  const fields = Object.fromEntries(textFields.map((field) => [field, form[field] ?? null]));
  const text = { ...fields, notes: form.notes ?? [] };
  return encryption.encrypt(memberId, JSON.stringify(text), contextOf(memberId));
}

export async function decryptProfileText(
  encryption: Encryption,
  memberId: number,
  encrypted: Buffer,
): Promise<ProfileText> {
  return JSON.parse(await encryption.decrypt(encrypted, contextOf(memberId))) as ProfileText;
}

const cache = new BoundedCache<number, { readonly nonce: Buffer; readonly text: ProfileText }>();

/** Caches the text, because a chat reads the same profiles repeatedly. */
export async function decryptCachedProfileText(
  encryption: Encryption,
  memberId: number,
  encrypted: Buffer,
): Promise<ProfileText> {
  const nonce = nonceOf(encrypted);
  const cached = cachedProfileText(memberId, nonce);
  if (cached) return cached;
  const text = await decryptProfileText(encryption, memberId, encrypted);
  // A slice would keep the whole row in memory.
  cache.set(memberId, { nonce: Buffer.from(nonce), text });
  return text;
}

export function hasCachedProfileText(memberId: number): boolean {
  return cache.get(memberId) !== undefined;
}

export function cachedProfileText(memberId: number, nonce: Buffer): ProfileText | null {
  const cached = cache.get(memberId);
  return cached?.nonce.equals(nonce) ? cached.text : null;
}

export function evictProfileText(memberId: number): void {
  cache.delete(memberId);
}
