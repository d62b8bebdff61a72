import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { getReading, saveReading } from "@alcove/contract/messaging";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Db } from "../platform/db/database.ts";
import { saveReadReceiptSetting, showsReadReceipts } from "./read-receipt-setting.ts";
import { saveOptIn, showsTyping } from "./typing.sql.ts";
import { saveOptOut, wantsPictures } from "./unwanted-pictures.sql.ts";

export async function readChatSettings(db: Db, memberId: number): Promise<ResponseOf<typeof getReading>> {
  return {
    shows_reading: await showsReadReceipts(db, memberId),
    shows_typing: await showsTyping(db, memberId),
    accepts_pictures: await wantsPictures(db, memberId),
  };
}

export async function saveChatSettings(
  ctx: AppContext,
  me: CurrentMember,
  { shows_reading, shows_typing, accepts_pictures }: ParsedOf<typeof saveReading>,
): Promise<void> {
  if (shows_reading !== undefined) await saveReadReceiptSetting(ctx, me, shows_reading);
  if (shows_typing !== undefined) await saveOptIn(ctx.db, me.memberId, shows_typing);
  if (accepts_pictures !== undefined) await saveOptOut(ctx.db, me.memberId, !accepts_pictures);
}
