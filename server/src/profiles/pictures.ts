import type { ParsedOf } from "@alcove/contract";
import type {
  addPicture as addPictureCall,
  changePicture as changePictureCall,
  orderPictures as orderPicturesCall,
  removePicture as removePictureCall,
} from "@alcove/contract/profiles";
import { mediaIdOfIcon } from "../media/index.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { type Album, albumOf, picturesOf, withAdded, withChanged } from "./album.ts";
import { changeAlbum } from "./changes.ts";
import * as rows from "./profiles.sql.ts";

export function addPicture(
  ctx: AppContext,
  me: CurrentMember,
  input: ParsedOf<typeof addPictureCall>,
): Promise<void> {
  return changeAlbum(ctx, me, (old) => withAdded(ctx, me.memberId, old, input));
}

export function changePicture(
  ctx: AppContext,
  me: CurrentMember,
  { picture, ...change }: ParsedOf<typeof changePictureCall>,
): Promise<void> {
  return changeAlbum(ctx, me, (old) =>
    withChanged(ctx, me.memberId, old, placeOf(ctx, me, old, picture), change),
  );
}

export function removePicture(
  ctx: AppContext,
  me: CurrentMember,
  { picture }: ParsedOf<typeof removePictureCall>,
): Promise<void> {
  return changeAlbum(ctx, me, async (old) => {
    const place = placeOf(ctx, me, old, picture);
    const pictures = picturesOf(old);
    if (pictures.length === 1) throw new ApiError("picture_required");
    return albumOf(pictures.toSpliced(place, 1), old);
  });
}

/** Others see the picture from now on. */
export const endWaiting = (tx: Tx, { memberId }: MemberRef, mediaId: string): Promise<void> =>
  rows.endWaiting(tx, memberId, mediaId);

/** The order must name each present picture once, so that no change of another device is lost. */
export function orderPictures(
  ctx: AppContext,
  me: CurrentMember,
  input: ParsedOf<typeof orderPicturesCall>,
): Promise<void> {
  return changeAlbum(ctx, me, async (old) => {
    const places = input.pictures.split(",").map((path) => placeOf(ctx, me, old, path));
    const pictures = picturesOf(old);
    if (places.length !== pictures.length || new Set(places).size !== places.length)
      throw validationError({ pictures: "invalid" });
    return albumOf(
      places.map((place) => pictures[place]!),
      old,
    );
  });
}

function placeOf(ctx: AppContext, me: CurrentMember, album: Album, path: string): number {
  const media = mediaIdOfIcon(ctx, me, path);
  const place = picturesOf(album).findIndex((picture) => picture.media === media);
  if (place === -1) throw new ApiError("picture_not_found");
  return place;
}
