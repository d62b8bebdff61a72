import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { openMedia } from "./files.ts";
import { readClaimedOf } from "./media.sql.ts";

/** Under which name a picture lies in an export, for whoever refers to it there. */
export function exportedName(mediaId: string): string {
  return `images/${mediaId}.jpg`;
}

/** All pictures of a member that are in use, as they are kept. */
export async function exportPictures(tx: Tx, deps: Deps, me: Me): Promise<ExportPart> {
  const mediaIds = await readClaimedOf(tx, me.no);
  return {
    pictures: mediaIds.map((mediaId) => ({
      name: exportedName(mediaId),
      open: () => openMedia(deps, me.no, mediaId),
    })),
  };
}
