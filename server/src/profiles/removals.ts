import { NOTES_MAX, PICTURES_MAX } from "@alcove/contract/limits";
import { releaseMedia } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { type Album, albumOf, endsViewing, filesOf, picturesOf } from "./album.ts";
import * as rows from "./profiles.sql.ts";
import { changeNotes, readableNotes } from "./notes.ts";
import { decryptProfileText, encryptProfileText, type Note, type ProfileText } from "./profile-text.ts";
import type { StoredPicture } from "./tables.ts";

const REMOVED_TEXTS = ["description", "purpose", "hobby"] as const;
type Texts = Pick<ProfileText, (typeof REMOVED_TEXTS)[number]>;

/**
 * An operator removes pictures. Their files stay for `restoreAlbum`. The caller holds the member's lock.
 *
 * @param only these; all if it is empty
 */
export async function removeAlbum(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  only: readonly string[],
): Promise<Album> {
  const old = (await rows.lockAlbum(tx, memberId))!;
  const isRemoved = ({ media }: StoredPicture) => only.length === 0 || only.includes(media);
  const album = albumOf(
    picturesOf(old).filter((picture) => !isRemoved(picture)),
    old,
  );
  await rows.updateAlbum(tx, memberId, album, []);
  if (endsViewing(old, album)) await ctx.domainEvents.emit(tx, "clear_icon_changed", { memberId });
  return albumOf(picturesOf(old).filter(isRemoved), old);
}

/** Newer pictures stay first; those without a place are deleted. */
export async function restoreAlbum(tx: Tx, ctx: AppContext, memberId: number, removed: Album): Promise<void> {
  const now = (await rows.lockAlbum(tx, memberId))!;
  const pictures = [...picturesOf(now), ...picturesOf(removed)];
  const kept = albumOf(pictures.slice(0, PICTURES_MAX), now);
  await rows.updateAlbum(tx, memberId, kept, []);
  for (const file of filesOf(albumOf(pictures.slice(PICTURES_MAX), now)))
    await releaseMedia(tx, ctx, memberId, file);
}

export async function removeTexts(tx: Tx, ctx: AppContext, memberId: number): Promise<Texts> {
  const text = await readText(tx, ctx, memberId);
  await saveText(tx, ctx, memberId, { ...text, description: "", purpose: null, hobby: null });
  return Object.fromEntries(REMOVED_TEXTS.map((name) => [name, text[name]])) as Texts;
}

/** Texts that were written since stay. */
export async function restoreTexts(tx: Tx, ctx: AppContext, memberId: number, removed: Texts): Promise<void> {
  const text = await readText(tx, ctx, memberId);
  const restored = Object.fromEntries(REMOVED_TEXTS.map((name) => [name, text[name] || removed[name]]));
  await saveText(tx, ctx, memberId, { ...text, ...(restored as Texts) });
}

/** @param only these; all if it is empty */
export async function removeNotes(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  only: readonly string[],
): Promise<readonly Note[]> {
  const removed: Note[] = [];
  await changeNotes(tx, ctx, memberId, (notes) =>
    notes.filter((note) => {
      const isKept = only.length > 0 && !only.includes(note.id);
      if (!isKept) removed.push(note);
      return isKept;
    }),
  );
  return removed;
}

/** Notes that were written since stay; those without a place are dropped, and a reply that is over or replaced. */
export async function restoreNotes(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  removed: readonly Note[],
): Promise<void> {
  await changeNotes(tx, ctx, memberId, (now) => {
    const answer = [...now, ...readableNotes(ctx, removed, "author")].find(({ kind }) => kind === "week");
    const notes = [...now, ...removed].filter(({ kind }) => kind === "note").slice(0, NOTES_MAX);
    return [...(answer ? [answer] : []), ...notes];
  });
}

async function readText(tx: Tx, ctx: AppContext, memberId: number): Promise<ProfileText> {
  const row = (await rows.lockProfile(tx, memberId))!;
  return decryptProfileText(ctx.encryption, memberId, row.encrypted_profile);
}

async function saveText(tx: Tx, ctx: AppContext, memberId: number, text: ProfileText): Promise<void> {
  await rows.updateProfile(tx, memberId, await encryptProfileText(ctx.encryption, memberId, text));
}
