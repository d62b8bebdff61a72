import type { AppContext } from "../platform/context.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { HANDLE_STEP } from "../platform/keys/encryption.ts";
import type { Pixels } from "./encoding/lost-detail.ts";
import { hashPicture } from "./encoding/picture-hash.ts";
import * as rows from "./media.sql.ts";

export function hashPixels({ encryption }: AppContext, pixels: Pixels): Promise<Buffer | null> {
  return hashPicture(pixels, (bit) => encryption.blindIndex(String(bit), "picture hash"));
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
