import type { AppContext } from "../platform/context.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { HANDLE_STEP } from "../platform/keys/encryption.ts";
import type { Pixels } from "./encoding/lost-detail.ts";
import { hashPicture } from "./encoding/picture-hash.ts";
import { readIcon, readMessageImage } from "./encoding/re-encode.ts";
import * as rows from "./media.sql.ts";
import type { MediaKind } from "./tables.ts";

const PAGE = 500;

export function hashPixels({ encryption }: AppContext, pixels: Pixels): Promise<Buffer | null> {
  return hashPicture(pixels, (bit) => encryption.blindIndex(String(bit), "picture hash"));
}

/** Returns the hashes of a file as a profile picture and as an image of a message, which are cut differently. */
export async function hashUpload(ctx: AppContext, file: File): Promise<string[]> {
  const cuts = [await readIcon(file), await readMessageImage(file)];
  const hashes = await Promise.all(cuts.map((pixels) => hashPixels(ctx, pixels)));
  return hashes.flatMap((hash) => (hash ? [bitsOf(hash)] : []));
}

/** Returns 128 digits 0 or 1, or null for a picture without a hash. */
export async function hashStoredPicture(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<string | null> {
  const hash = await readStoredHash(ctx, ownerMemberId, mediaId);
  return hash && bitsOf(hash);
}

export async function readStoredHash(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<Buffer | null> {
  const encrypted = await rows.readHash(ctx.db, ownerMemberId, mediaId);
  return encrypted && decryptHash(ctx, ownerMemberId, mediaId, encrypted);
}

export interface StoredHash {
  readonly ownerMemberId: number;
  readonly mediaId: string;
  readonly kind: MediaKind;
  readonly hash: string;
}

/** Reads the hashes of all members: for a job only. */
export async function* listStoredHashes(ctx: AppContext): AsyncGenerator<StoredHash> {
  for (let after: string | null = null; ;) {
    const page = await rows.readHashes(ctx.db, after, PAGE);
    // Together, so that one statement reads the keys of a page.
    const hashes = await Promise.all(
      page.map((row) => decryptHash(ctx, row.member_no, row.media_id, row.encrypted_hash!)),
    );
    for (const [i, { member_no: ownerMemberId, media_id: mediaId, kind }] of page.entries()) {
      const hash = hashes[i];
      if (hash) yield { ownerMemberId, mediaId, kind, hash: bitsOf(hash) };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.media_id;
  }
}

export function differenceOf(one: string, other: string): number {
  let difference = 0;
  for (let bit = 0; bit < one.length; bit++) if (one[bit] !== other[bit]) difference++;
  return difference;
}

/** @param keyId of the owner, or of the evidence whose copy outlives them */
export function encryptHash(
  { encryption }: AppContext,
  keyId: number,
  { ownerMemberId, mediaId, hash }: { ownerMemberId: number; mediaId: string; hash: Buffer },
): Promise<Buffer> {
  return encryption.encryptBytes(keyId, hash, contextOf(ownerMemberId, mediaId), HANDLE_STEP);
}

/** Returns null if the owner was deleted since the row was read. */
async function decryptHash(
  { encryption }: AppContext,
  ownerMemberId: number,
  mediaId: string,
  encrypted: Buffer,
): Promise<Buffer | null> {
  try {
    return await encryption.decryptBytes(encrypted, contextOf(ownerMemberId, mediaId));
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

const bitsOf = (hash: Buffer): string => [...hash].map((byte) => byte.toString(2).padStart(8, "0")).join("");

const contextOf = (ownerMemberId: number, mediaId: string): string =>
  `media_files.encrypted_hash:${ownerMemberId}:${mediaId}`;
