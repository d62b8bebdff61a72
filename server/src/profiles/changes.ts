import type { ParsedOf } from "@alcove/contract";
import type { saveProfile } from "@alcove/contract/profiles";
import { heightError } from "@alcove/contract/users";
import { claimMedia, deleteMedia, releaseMedia } from "../media/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { keyedSemaphore } from "../platform/lib/semaphore.ts";
import { type FieldErrors, ApiError, throwIfInvalid } from "../platform/errors.ts";
import { type Album, endsViewing, filesOnlyIn, isSameAlbum, withChanged } from "./album.ts";
import * as rows from "./profiles.sql.ts";
import { decryptProfileText, encryptProfileText, type ProfileText } from "./profile-text.ts";
import { looksLikeStaff } from "./staff-names.ts";

type Change = ParsedOf<typeof saveProfile>;

/** A missing field stays as it is, an empty one is cleared. */
export async function changeProfile(ctx: AppContext, me: MemberRef, change: Change): Promise<void> {
  const saveText = (tx: Tx) => changeText(tx, ctx, me, change);
  await (changesIcon(change)
    ? changeAlbum(ctx, me, (old) => withChanged(ctx, me.memberId, old, 0, change), saveText)
    : ctx.db.transaction().execute(saveText));
}

const changesIcon = ({ icon, icon_process, keep_clear_icon }: Change): boolean =>
  icon != null || icon_process != null || keep_clear_icon != null;

const oneAlbumPerMember = keyedSemaphore(1);

/**
 * Processes new pictures before any lock, and again if another process changes the album meanwhile. Within a process,
 * changes of one album wait for each other, so that none processes a picture in vain.
 */
export async function changeAlbum(
  ctx: AppContext,
  me: MemberRef,
  create: (old: Album) => Promise<Album>,
  saveRest: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await oneAlbumPerMember(String(me.memberId), async () => {
    while (!(await changeOnce(ctx, me, create, saveRest)));
  });
}

/** Returns false, and deletes the new pictures, if the album changed meanwhile. */
async function changeOnce(
  ctx: AppContext,
  { memberId }: MemberRef,
  create: (old: Album) => Promise<Album>,
  saveRest: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const before = await rows.readAlbum(ctx.db, memberId);
  if (!before) throw new ApiError("login_required"); // deleted since the request began
  const album = await create(before);
  let isSaved = false;
  try {
    isSaved = await ctx.db.transaction().execute(async (tx) => {
      const old = await rows.lockAlbum(tx, memberId);
      if (!old) throw new ApiError("login_required");
      if (!isSameAlbum(old, before)) return false;
      await saveRest(tx);
      if (!isSameAlbum(old, album)) await saveAlbum(tx, ctx, memberId, old, album);
      return true;
    });
  } finally {
    const unused = isSaved ? [] : filesOnlyIn(album, before);
    for (const file of unused) await deleteMedia(ctx, memberId, file);
  }
  return isSaved;
}

async function saveAlbum(tx: Tx, ctx: AppContext, memberId: number, old: Album, album: Album): Promise<void> {
  const added = filesOnlyIn(album, old);
  for (const file of added) await claimMedia(tx, memberId, file);
  await rows.updateAlbum(tx, memberId, album, waitingOf(ctx, added));
  for (const file of filesOnlyIn(old, album)) await releaseMedia(tx, ctx, memberId, file);
  if (added.length > 0) await ctx.domainEvents.emit(tx, "pictures_added", { memberId, mediaIds: added });
  if (endsViewing(old, album)) await ctx.domainEvents.emit(tx, "clear_icon_changed", { memberId });
}

/** Files that are no profile pictures drop out. */
const waitingOf = ({ config }: AppContext, added: readonly string[]): readonly string[] =>
  config.pictureReview === "before" ? added : [];

/** The profile's lock orders parallel changes, and this one against the member's deletion. */
async function changeText(tx: Tx, ctx: AppContext, { memberId }: MemberRef, change: Change): Promise<void> {
  const old = await rows.lockProfile(tx, memberId);
  if (!old) throw new ApiError("login_required");
  const text = await decryptProfileText(ctx.encryption, memberId, old.encrypted_profile);
  throwIfInvalid(errorsOf(ctx, text, change));
  const encrypted = await encryptProfileText(ctx.encryption, memberId, mergeText(text, change));
  await rows.updateProfile(tx, memberId, encrypted);
}

/** Checks the valid fields only, height and unit with the saved values. */
export async function validateWithSaved(
  ctx: AppContext,
  me: MemberRef,
  right: Partial<Change>,
): Promise<FieldErrors> {
  const old = await ctx.db.transaction().execute((tx) => rows.lockProfile(tx, me.memberId));
  return old
    ? errorsOf(ctx, await decryptProfileText(ctx.encryption, me.memberId, old.encrypted_profile), right)
    : {};
}

export function usernameError(
  username: string | undefined,
  { brandName }: AppContext["config"],
): "username_reserved" | null {
  return username !== undefined && looksLikeStaff(username, brandName) ? "username_reserved" : null;
}

function errorsOf({ config }: AppContext, old: ProfileText, change: Partial<Change>): FieldErrors {
  const { tall = old.tall, tall_unit = old.tall_unit } = change;
  const isSent = change.tall !== undefined || change.tall_unit !== undefined;
  return {
    username: usernameError(change.username, config),
    tall: isSent && tall !== null ? heightError(tall, tall_unit) : null,
  };
}

function mergeText(old: ProfileText, change: Change): ProfileText {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(sent) };
}
