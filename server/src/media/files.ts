import { randomUUID } from "node:crypto";
import { isBackupRunning } from "../platform/db/backup-lock.ts";
import { HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./media.sql.ts";
import { NotRedrawn, processIcon, redrawIcon, redrawPicture } from "./re-encode.ts";

type Kept = { mediaId: string };

/** No upload takes as long as this from its row to the transaction that claims it. */
const UNCLAIMED_FOR_MS = HOUR_MS;
const SWEPT_AT_ONCE = 500;
const RETRY_SECONDS = 30;
/** While a backup is made no file goes that its rows may name. */
const AFTER_BACKUP_MS = MINUTE_MS;

/**
 * Keeps an icon, redrawn and sealed; with `process` no clear copy of it exists anywhere.
 *
 * It stays only if a transaction claims it (`claimMedia`); otherwise the sweep removes it.
 */
export async function keepIcon(
  ctx: AppContext,
  ownerMemberId: number,
  file: File,
  how: { process: boolean },
): Promise<Kept> {
  const draw = how.process
    ? async (picture: File) => (await processIcon(picture, ctx.faceDetector)).jpeg
    : (picture: File) => redrawIcon(picture);
  const drawn = await read(file, draw, "icon");
  return keep(ctx, ownerMemberId, "icon", drawn);
}

/** Keeps the clear version of an icon for chosen matches, redrawn and sealed, to be claimed as any other. */
export async function keepClearIcon(ctx: AppContext, ownerMemberId: number, file: File): Promise<Kept> {
  return keep(ctx, ownerMemberId, "clear", await read(file, redrawIcon, "icon"));
}

/**
 * Keeps the image of a message, redrawn and sealed.
 *
 * It stays only if the message's transaction claims it (`claimMedia`); otherwise the sweep removes it.
 */
export async function keepMessageImage(ctx: AppContext, ownerMemberId: number, file: File): Promise<Kept> {
  const drawn = await read(file, redrawPicture, "file");
  return keep(ctx, ownerMemberId, "message", drawn);
}

/**
 * Keeps a processed copy of an icon that is shown clear, to be claimed as any other; null when that icon is gone.
 *
 * The clear one stays until a transaction releases it (`releaseMedia`).
 */
export async function keepProcessedIcon(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<Kept | null> {
  const clear = await openMedia(ctx, ownerMemberId, mediaId);
  if (!clear) return null;
  return keepIcon(ctx, ownerMemberId, new File([new Uint8Array(clear)], "icon"), { process: true });
}

/** Says in the transaction that refers to a kept file that it is in use from now on. */
export async function claimMedia(tx: Tx, ownerMemberId: number, mediaId: string): Promise<void> {
  const isThere = await rows.setClaimed(tx, ownerMemberId, mediaId, true);
  if (!isThere) throw new Error("the media file to claim is gone");
}

/** Removes a file and its row; harmless to repeat. */
export async function forgetMedia(ctx: AppContext, ownerMemberId: number, mediaId: string): Promise<void> {
  // Given up first: should this process die here, the sweep goes on.
  await rows.setClaimed(ctx.db, ownerMemberId, mediaId, false);
  if (await isBackupRunning(ctx.db)) return;
  try {
    await ctx.fileStorage.remove(keyOf(mediaId));
  } catch (error) {
    ctx.log.warn({ err: error }, "a file of the media store could not be removed: the sweep tries again");
    return;
  }
  await rows.deleteUnclaimed(ctx.db, ownerMemberId, mediaId);
}

/** Says in the transaction that no longer refers to a file that it is to be removed: its row now, itself soon after. */
export async function releaseMedia(
  tx: Tx,
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<void> {
  await rows.deleteFile(tx, ownerMemberId, mediaId);
  await ctx.jobs.add(tx, "forget_files", { mediaIds: [mediaId] });
}

/** Opens the bytes of a file; null when it is gone. A store that is down is `media_unavailable`. */
export async function openMedia(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<Buffer | null> {
  const encrypted = await ctx.fileStorage
    .get(keyOf(mediaId))
    .catch((error: unknown) => storeIsDown(ctx, error));
  return encrypted && ctx.encryption.decryptBytes(encrypted, contextOf(ownerMemberId, mediaId));
}

/**
 * Removes the rows of a deleted member with its account, and the files after that.
 *
 * An upload that is still under way is not claimed: its row stays, so that the sweep finds the file it will leave.
 */
export async function forgetMember(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const mediaIds = await rows.deleteClaimedOf(tx, memberId);
  if (mediaIds.length > 0) await ctx.jobs.add(tx, "forget_files", { mediaIds });
}

/** Removes files whose rows are gone, after a backup that may still name them; harmless to repeat. */
export async function removeFiles(ctx: AppContext, mediaIds: string[]): Promise<void> {
  if (await isBackupRunning(ctx.db)) {
    const runAt = new Date(ctx.clock.now().getTime() + AFTER_BACKUP_MS);
    return ctx.jobs.add(ctx.db, "forget_files", { mediaIds }, { runAt });
  }
  for (const mediaId of mediaIds) await ctx.fileStorage.remove(keyOf(mediaId));
}

/** Removes what was uploaded but never claimed: its form was refused, its transaction failed, or the server died. */
export async function sweep(ctx: AppContext): Promise<void> {
  if (await isBackupRunning(ctx.db)) return;
  const before = new Date(ctx.clock.now().getTime() - UNCLAIMED_FOR_MS);
  const unclaimed = await rows.findUnclaimed(ctx.db, before, SWEPT_AT_ONCE);
  for (const { member_no, media_id } of unclaimed) {
    await ctx.fileStorage.remove(keyOf(media_id));
    await rows.deleteUnclaimed(ctx.db, member_no, media_id);
  }
}

/** The row comes first, so that no file is ever without a row to find it by. */
async function keep(
  ctx: AppContext,
  ownerMemberId: number,
  kind: "icon" | "message" | "clear",
  drawn: Buffer,
): Promise<Kept> {
  const mediaId = randomUUID();
  await rows.insertFile(ctx.db, ownerMemberId, mediaId, kind, ctx.clock.now());
  const encrypted = ctx.encryption.encryptBytes(drawn, contextOf(ownerMemberId, mediaId));
  await ctx.fileStorage.put(keyOf(mediaId), encrypted).catch((error: unknown) => storeIsDown(ctx, error));
  return { mediaId };
}

/** Said to the member as a picture that has to wait, and to the operator as what it is. */
function storeIsDown(ctx: AppContext, error: unknown): never {
  ctx.log.error({ err: error }, "the media store does not answer");
  throw new ApiError("media_unavailable", { retryAfterSeconds: RETRY_SECONDS });
}

/** Has a file of a form drawn anew; what is wrong with it is said of its field. */
export async function read<T>(file: File, redraw: (file: File) => Promise<T>, field: string): Promise<T> {
  try {
    return await redraw(file);
  } catch (error) {
    if (!(error instanceof NotRedrawn)) throw error;
    const code = error.reason === "image_too_large" ? "too_large" : "not_an_image";
    throw new ApiError(code, { errors: { [field]: [error.reason] } });
  }
}

/** The files in use behind an id, by rising id, as a backup reads them: the id and where each lies. */
export async function filesInUse(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ mediaId: string; key: string }[]> {
  const found = await rows.findClaimed(db, after, limit);
  return found.map((mediaId) => ({ mediaId, key: keyOf(mediaId) }));
}

function keyOf(mediaId: string): string {
  return `${mediaId.slice(0, 2)}/${mediaId}`;
}

function contextOf(ownerMemberId: number, mediaId: string): string {
  return `media:${ownerMemberId}:${mediaId}`;
}
