import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { verifyToken, type ImageToken } from "./signed-urls.ts";
import type { Variant, Wanted } from "./encoding/picture-set.ts";
import { readVariant } from "./files.ts";
import * as rows from "./media.sql.ts";

export type IsHidden = (ctx: AppContext, viewer: number, other: number) => Promise<boolean>;

export async function authorizeView(
  ctx: AppContext,
  kind: ImageToken["kind"],
  token: string,
  isHidden: IsHidden,
): Promise<ImageToken> {
  const image = verifyToken(ctx, kind, token);
  if (!image || !(await mayView(ctx, image, isHidden))) throw new ApiError("media_not_found");
  return image;
}

export async function readImage(ctx: AppContext, image: ImageToken, wanted: Wanted): Promise<Variant> {
  const variant = await readVariant(ctx, image.ownerMemberId, image.mediaId, wanted);
  if (!variant) throw new ApiError("media_not_found");
  return variant;
}

/** An open session proves an active account, because suspension and deletion end sessions. */
async function mayView(ctx: AppContext, image: ImageToken, isHidden: IsHidden): Promise<boolean> {
  const { db, clock } = ctx;
  const { kind, viewerMemberId, session, ownerMemberId, otherMemberId, mediaId } = image;
  const counterpartId = viewerMemberId === ownerMemberId ? otherMemberId : ownerMemberId;
  if (session === null)
    return kind === "icon" && counterpartId === viewerMemberId && rows.isIconOf(db, image);
  if (!(await rows.hasSession(db, viewerMemberId, session, clock.now()))) return false;
  if (kind === "icon") {
    return !(await isHidden(ctx, viewerMemberId, counterpartId)) && rows.isIconOf(db, image);
  }
  if (kind === "clear") {
    const isShown =
      viewerMemberId === ownerMemberId || (await rows.isShownTo(db, ownerMemberId, viewerMemberId));
    return isShown && rows.isClearIconOf(db, ownerMemberId, mediaId);
  }
  if (viewerMemberId !== ownerMemberId && viewerMemberId !== otherMemberId) return false;
  // A block ends the match, so no check of blocks is needed.
  if (!(await rows.isMatched(db, viewerMemberId, counterpartId)) || !(await rows.isActive(db, counterpartId)))
    return false;
  return rows.isMessageFileOf(db, ownerMemberId, mediaId);
}
