import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { RETENTION } from "@alcove/contract/retention";
import { isBackupRunning } from "../platform/db/backup-lock.ts";
import { floorTo, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { keyedSemaphore, semaphore } from "../platform/lib/semaphore.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { PICTURE_STEP } from "../platform/keys/encryption.ts";
import * as rows from "./media.sql.ts";
import { encryptHash, hashPixels, hashUpload, readStoredHash } from "./picture-hashes.ts";
import type { MediaKind } from "./tables.ts";
import { chooseVariant, packVariants, type Variant, type Wanted } from "./encoding/picture-set.ts";
import { readVoiceNote, type VoiceNote } from "./encoding/voice-note.ts";
import {
  packIcon,
  packJpeg,
  packMessageImage,
  processIcon,
  readIcon,
  readMessageImage,
  UnusableImageError,
} from "./encoding/re-encode.ts";

type StoredMedia = { mediaId: string };

const MAX_UNCLAIMED_MS = RETENTION.unclaimedUploadHours * HOUR_MS;
/** The owner of a picture without an account. */
export const NOBODY = 0;
const DELETE_BATCH_SIZE = 500;
const RETRY_SECONDS = 30;
/** A running backup may refer to files. */
const BACKUP_RETRY_MS = MINUTE_MS;

/**
 * With `process`, no clear copy exists anywhere. A job deletes stored files unless the transaction that refers to them
 * calls `claimMedia`.
 */
export async function storeIcon(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
  { process }: { process: boolean },
): Promise<StoredMedia> {
  const encode = async (picture: File) => {
    const processed = process ? await processIcon(picture, ctx.faceDetector) : null;
    const clear = processed?.clear ?? (await readIcon(picture));
    return { packed: await packIcon(processed?.pixels ?? clear), hash: await hashPixels(ctx, clear) };
  };
  const { packed, hash } = await readUpload(ownerMemberId, file, encode, "icon");
  return store(ctx, ownerMemberId, { keyId: ownerMemberId, kind: "icon", bytes: packed, hash });
}

export async function storeClearIcon(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
): Promise<StoredMedia> {
  const encode = async (picture: File) => {
    const clear = await readIcon(picture);
    return { packed: await packIcon(clear), hash: await hashPixels(ctx, clear) };
  };
  const { packed, hash } = await readUpload(ownerMemberId, file, encode, "icon");
  return store(ctx, ownerMemberId, { keyId: ownerMemberId, kind: "clear", bytes: packed, hash });
}

export async function storeMessageImage(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
  findKey: () => Promise<number>,
): Promise<StoredMedia & { keyId: number }> {
  const encode = async (image: File) => {
    const pixels = await readMessageImage(image);
    return { packed: await packMessageImage(pixels), hash: await hashPixels(ctx, pixels) };
  };
  const { packed, hash } = await readUpload(ownerMemberId, file, encode, "file");
  const keyId = await findKey();
  return { ...(await store(ctx, ownerMemberId, { keyId, kind: "message", bytes: packed, hash })), keyId };
}

export async function storeVoiceNote(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
  findKey: () => Promise<number>,
): Promise<StoredMedia & { keyId: number } & Omit<VoiceNote, "wav">> {
  const { wav, ...note } = await readUpload(ownerMemberId, file, readVoiceNote, "voice");
  const keyId = await findKey();
  const bytes = packVariants([{ format: "wav", width: 0, bytes: wav }]);
  const kind = "message" as const;
  return {
    ...(await store(ctx, ownerMemberId, { keyId, kind, bytes, hash: null, isVoice: true })),
    keyId,
    ...note,
  };
}

export async function storeDocument(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
  keyId: number,
): Promise<StoredMedia> {
  const encode = async (image: File) => packJpeg(await readMessageImage(image));
  const packed = await readUpload(ownerMemberId, file, encode, "file");
  return store(ctx, ownerMemberId, { keyId, kind: "document", bytes: packed, hash: null });
}

/** The picture of a notice, in nobody's name. Returns its hashes too. */
export async function storeNoticePicture(
  ctx: AppContext,
  keyId: number,
  file: File,
  subject: string,
): Promise<StoredMedia & { hashes: string[] }> {
  const encode = async (image: File) => ({
    bytes: await packJpeg(await readMessageImage(image)),
    hashes: await hashUpload(ctx, image),
  });
  const { bytes, hashes } = await readUpload(subject, file, encode, "file");
  return { ...(await store(ctx, NOBODY, { keyId, kind: "case", bytes, hash: null })), hashes };
}

/** The clear icon stays until `releaseMedia`. */
export async function storeProcessedIcon(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<StoredMedia | null> {
  const clear = await readMedia(ctx, ownerMemberId, mediaId);
  if (!clear) return null;
  return storeIcon(ctx, ownerMemberId, new File([new Uint8Array(clear)], "icon"), { process: true });
}

/** Copies a stored file under another key: of an unsent message, or of a case. */
export async function storeCopy(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
  { keyId, kind }: { keyId: number; kind: "unsent" | "case" },
): Promise<StoredMedia | null> {
  const variant = await readVariant(ctx, ownerMemberId, mediaId, { width: null, formats: [] });
  if (!variant) return null;
  const isVoice = variant.format === "wav";
  const bytes = packVariants([variant]);
  const hash = await readStoredHash(ctx, ownerMemberId, mediaId);
  return store(ctx, ownerMemberId, { keyId, kind, bytes, hash, hashKeyId: keyId, isVoice });
}

export async function hideMedia(
  tx: Tx,
  images: readonly { ownerMemberId: number; mediaId: string }[],
): Promise<void> {
  if (images.length > 0) await rows.setKind(tx, images, { from: "message", to: "hidden" });
}

export async function unhideMedia(
  tx: Tx,
  images: readonly { ownerMemberId: number; mediaId: string }[],
): Promise<void> {
  if (images.length > 0) await rows.setKind(tx, images, { from: "hidden", to: "message" });
}

export async function claimMedia(tx: Tx, ownerMemberId: number, mediaId: string): Promise<void> {
  const exists = await rows.setClaimed(tx, ownerMemberId, mediaId, true);
  if (!exists) throw new Error("media file to claim is missing");
}

export async function deleteMedia(ctx: AppContext, ownerMemberId: number, mediaId: string): Promise<void> {
  // Unclaimed first, so that a job continues if this process dies.
  await rows.setClaimed(ctx.db, ownerMemberId, mediaId, false);
  if (await isBackupRunning(ctx.db)) return;
  try {
    await ctx.fileStorage.remove(storageKeyOf(mediaId));
  } catch (error) {
    ctx.log.warn({ err: error }, "media file not deleted, a job will retry");
    return;
  }
  await rows.deleteUnclaimed(ctx.db, ownerMemberId, mediaId);
}

export async function releaseMedia(
  tx: Tx,
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<void> {
  await rows.deleteFile(tx, ownerMemberId, mediaId);
  await ctx.jobs.add(tx, "delete_media_files", { mediaIds: [mediaId] });
}

/** Returns JPEG or WAV, or null if the file is gone. */
export async function readMedia(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<Buffer | null> {
  const found = await readVariant(ctx, ownerMemberId, mediaId, { width: null, formats: [] });
  return found && found.bytes;
}

export async function readVariant(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
  wanted: Wanted,
): Promise<Variant | null> {
  const encrypted = await ctx.fileStorage
    .get(storageKeyOf(mediaId))
    .catch((error: unknown) => storeIsDown(ctx, error));
  if (!encrypted) return null;
  try {
    const file = await ctx.encryption.decryptBytes(encrypted, contextOf(ownerMemberId, mediaId));
    return chooseVariant(file, wanted);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

/** Keeps unclaimed rows: a job needs the row of an unfinished upload to find its file. */
export async function deleteMediaOf(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const mediaIds = await rows.deleteClaimedOf(tx, memberId);
  if (mediaIds.length > 0) await ctx.jobs.add(tx, "delete_media_files", { mediaIds });
}

export async function deleteFiles(ctx: AppContext, mediaIds: string[]): Promise<void> {
  if (await isBackupRunning(ctx.db)) {
    const runAt = new Date(ctx.clock.now().getTime() + BACKUP_RETRY_MS);
    return ctx.jobs.add(ctx.db, "delete_media_files", { mediaIds }, { runAt });
  }
  for (const mediaId of mediaIds) await ctx.fileStorage.remove(storageKeyOf(mediaId));
}

export async function deleteUnclaimedMedia(ctx: AppContext): Promise<void> {
  if (await isBackupRunning(ctx.db)) return;
  const before = new Date(ctx.clock.now().getTime() - MAX_UNCLAIMED_MS);
  const unclaimed = await rows.findUnclaimed(ctx.db, before, DELETE_BATCH_SIZE);
  for (const { member_no, media_id } of unclaimed) {
    await ctx.fileStorage.remove(storageKeyOf(media_id));
    await rows.deleteUnclaimed(ctx.db, member_no, media_id);
  }
}

/** Encrypts first: a member who is being deleted has no key. Then writes the row, so that no file lacks one. */
async function store(
  ctx: AppContext,
  ownerMemberId: number,
  {
    keyId,
    kind,
    bytes,
    hash,
    hashKeyId = ownerMemberId,
    isVoice = false,
  }: {
    keyId: number;
    kind: MediaKind;
    bytes: Buffer;
    hash: Buffer | null;
    hashKeyId?: number;
    isVoice?: boolean;
  },
): Promise<StoredMedia> {
  const mediaId = randomUUID();
  const context = contextOf(ownerMemberId, mediaId);
  const encrypted = await ctx.encryption.encryptBytes(keyId, bytes, context, PICTURE_STEP);
  await rows.insertFile(ctx.db, {
    member_no: ownerMemberId,
    media_id: mediaId,
    kind,
    is_voice: isVoice,
    created_at: floorTo(ctx.clock.now(), HOUR_MS),
    encrypted_hash: hash && (await encryptHash(ctx, hashKeyId, { ownerMemberId, mediaId, hash })),
  });
  await ctx.fileStorage
    .put(storageKeyOf(mediaId), encrypted)
    .catch((error: unknown) => storeIsDown(ctx, error));
  return { mediaId };
}

function storeIsDown(ctx: AppContext, error: unknown): never {
  ctx.log.error({ err: error }, "media store unavailable");
  throw new ApiError("media_unavailable", { retryAfterSeconds: RETRY_SECONDS });
}

const onePerOwner = keyedSemaphore(1);
const onePerCore = semaphore(availableParallelism());
let uploads = 0;

export const countUploads = (): number => uploads;

/**
 * An owner with many pictures delays no other owner by more than one. `encode` reads the file, so that waiting files
 * are not in memory twice.
 */
export async function readUpload<T>(
  owner: string | number,
  file: File,
  encode: (file: File) => Promise<T>,
  field: string,
): Promise<T> {
  uploads++;
  try {
    return await onePerOwner(String(owner), () => onePerCore(() => encode(file)));
  } catch (error) {
    if (!(error instanceof UnusableImageError)) throw error;
    const code = error.reason === "image_too_many_pixels" ? "too_large" : "not_an_image";
    throw new ApiError(code, { errors: { [field]: [error.reason] } });
  } finally {
    uploads--;
  }
}

export async function filesInUse(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ mediaId: string; key: string }[]> {
  const found = await rows.findClaimed(db, after, limit);
  return found.map((mediaId) => ({ mediaId, key: storageKeyOf(mediaId) }));
}

function storageKeyOf(mediaId: string): string {
  return `${mediaId.slice(0, 2)}/${mediaId}`;
}

function contextOf(ownerMemberId: number, mediaId: string): string {
  return `media:${ownerMemberId}:${mediaId}`;
}
