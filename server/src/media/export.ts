import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { openMedia } from "./files.ts";
import { readClaimedOf } from "./media.sql.ts";

/** Under which name a picture lies in an export, for whoever refers to it there. */
export function exportedName(mediaId: string): string {
  return `images/${mediaId}.jpg`;
}

/** All pictures of a member that are in use, as they are kept. */
export async function exportPictures(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const mediaIds = await readClaimedOf(tx, me.memberId);
  return {
    pictures: mediaIds.map((mediaId) => ({
      name: exportedName(mediaId),
      open: () => openMedia(ctx, me.memberId, mediaId),
    })),
  };
}
