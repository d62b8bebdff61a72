import { PICTURES_MAX } from "@alcove/contract/limits";
import { storeClearIcon, storeIcon, storeProcessedIcon } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import type { StoredPicture } from "./tables.ts";
import { HOUR_MS } from "../platform/clock.ts";

const SAVED_PICTURES = { name: "saved_pictures", max: 20, windowMs: HOUR_MS };

/** `icon_process` also holds the choice of a member without a picture. */
export interface Album {
  readonly icon_media: string | null;
  readonly icon_process: boolean;
  readonly clear_icon_media: string | null;
  readonly more_pictures: readonly StoredPicture[];
}

export interface PictureChange {
  icon?: File | null | undefined;
  icon_process?: boolean | null | undefined;
  keep_clear_icon?: boolean | null | undefined;
}

export const emptyAlbum = (process: boolean): Album => ({
  icon_media: null,
  icon_process: process,
  clear_icon_media: null,
  more_pictures: [],
});

export function picturesOf(album: Album): StoredPicture[] {
  const { icon_media: media, icon_process: process, clear_icon_media: clear, more_pictures } = album;
  return media === null ? [] : [{ media, process, clear }, ...more_pictures];
}

export function albumOf([first, ...more]: readonly StoredPicture[], old: Album): Album {
  if (!first) return emptyAlbum(old.icon_process);
  const { media, process, clear } = first;
  return { icon_media: media, icon_process: process, clear_icon_media: clear, more_pictures: more };
}

const toText = (album: Album): string =>
  JSON.stringify([
    album.icon_process,
    picturesOf(album).map(({ media, process, clear }) => [media, process, clear]),
  ]);

export const isSameAlbum = (one: Album, other: Album): boolean => toText(one) === toText(other);

const clearFilesOf = (album: Album): string[] => picturesOf(album).flatMap(({ clear }) => clear ?? []);

export function filesOf(album: Album): string[] {
  return [...picturesOf(album).map(({ media }) => media), ...clearFilesOf(album)];
}

export function filesOnlyIn(one: Album, other: Album): string[] {
  const others = new Set(filesOf(other));
  return filesOf(one).filter((file) => !others.has(file));
}

/** A new clear picture has no chosen viewers yet. */
export function endsViewing(old: Album, album: Album): boolean {
  const [before, after] = [clearFilesOf(old), clearFilesOf(album)];
  return after.some((file) => !before.includes(file)) || (before.length > 0 && after.length === 0);
}

export async function withAdded(
  ctx: AppContext,
  memberId: number,
  old: Album,
  change: PictureChange & { icon: File },
): Promise<Album> {
  const pictures = picturesOf(old);
  if (pictures.length >= PICTURES_MAX) throw new ApiError("pictures_full");
  const process = change.icon_process ?? true;
  return albumOf([...pictures, await storePicture(ctx, memberId, process, change)], old);
}

/**
 * Returns the old album if nothing changes.
 *
 * Each processed picture counts for the member's limit. It never becomes clear again without a new upload. Its clear
 * picture is kept only if requested with the upload.
 */
export async function withChanged(
  ctx: AppContext,
  memberId: number,
  old: Album,
  place: number,
  change: PictureChange,
): Promise<Album> {
  const pictures = picturesOf(old);
  const { process, clear, media }: Pick<StoredPicture, "process" | "clear"> & { media: string | null } =
    pictures[place] ?? { process: old.icon_process, clear: null, media: null };
  const replaced = (picture: StoredPicture | null) =>
    albumOf([...pictures.slice(0, place), ...(picture ? [picture] : []), ...pictures.slice(place + 1)], old);
  if (change.icon)
    return replaced(
      await storePicture(ctx, memberId, change.icon_process ?? process, { ...change, icon: change.icon }),
    );
  if (change.keep_clear_icon && clear === null) throw validationError({ icon: "icon_again" });
  if (change.icon_process && !process) {
    if (media === null) return { ...old, icon_process: true };
    await ctx.rateLimits.consume(SAVED_PICTURES, memberId);
    const processed = await storeProcessedIcon(ctx, memberId, media);
    return replaced(processed && { media: processed.mediaId, process: true, clear: null });
  }
  const removesClear = change.keep_clear_icon === false && clear !== null && media !== null;
  return removesClear ? replaced({ media, process, clear: null }) : old;
}

async function storePicture(
  ctx: AppContext,
  memberId: number,
  process: boolean,
  { icon, keep_clear_icon }: PictureChange & { icon: File },
): Promise<StoredPicture> {
  await ctx.rateLimits.consume(SAVED_PICTURES, memberId);
  const { mediaId: media } = await storeIcon(ctx, memberId, icon, { process });
  const keepsClear = process && keep_clear_icon === true;
  return { media, process, clear: keepsClear ? (await storeClearIcon(ctx, memberId, icon)).mediaId : null };
}
