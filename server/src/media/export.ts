import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readMedia } from "./files.ts";
import { readExportedOf } from "./media.sql.ts";

export function exportedName(mediaId: string, { isVoice = false } = {}): string {
  return isVoice ? `voice/${mediaId}.wav` : `images/${mediaId}.jpg`;
}

export async function exportFiles(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const stored = await readExportedOf(tx, me.memberId);
  return {
    files: stored.map(({ mediaId, isVoice }) => ({
      name: exportedName(mediaId, { isVoice }),
      open: () => readMedia(ctx, me.memberId, mediaId),
    })),
  };
}
