import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readMedia } from "./files.ts";
import { readExportedOf } from "./media.sql.ts";

export function exportedName(mediaId: string): string {
  return `images/${mediaId}.jpg`;
}

export async function exportPictures(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const mediaIds = await readExportedOf(tx, me.memberId);
  return {
    pictures: mediaIds.map((mediaId) => ({
      name: exportedName(mediaId),
      open: () => readMedia(ctx, me.memberId, mediaId),
    })),
  };
}
