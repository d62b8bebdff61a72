import type { AppContext } from "../platform/context.ts";
import { hashPicture } from "./encoding/picture-hash.ts";
import { readMedia } from "./files.ts";

export async function hashStoredPicture(
  ctx: AppContext,
  ownerMemberId: number,
  mediaId: string,
): Promise<string | null> {
  const jpeg = await readMedia(ctx, ownerMemberId, mediaId);
  if (!jpeg) return null;
  const hash = await hashPicture(jpeg, (bit) => ctx.encryption.blindIndex(String(bit), "picture hash"));
  return hash && [...hash].map((byte) => byte.toString(2).padStart(8, "0")).join("");
}
