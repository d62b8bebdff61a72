import { readMatches } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Db } from "../platform/db/database.ts";
import * as rows from "./read-receipt-setting.sql.ts";
import { sendMemberFrame } from "./send-member-frame.ts";

export async function showReadReceiptsToEachOther(db: Db, one: number, other: number): Promise<boolean> {
  const optOuts = await Promise.all([rows.hasOptedOut(db, one), rows.hasOptedOut(db, other)]);
  return !optOuts.includes(true);
}

export async function showsReadReceipts(db: Db, memberId: number): Promise<boolean> {
  return !(await rows.hasOptedOut(db, memberId));
}

export async function saveReadReceiptSetting(
  ctx: AppContext,
  me: CurrentMember,
  isShown: boolean,
): Promise<void> {
  const isChanged = isShown
    ? await rows.deleteOptOut(ctx.db, me.memberId)
    : await rows.insertOptOut(ctx.db, me.memberId);
  if (isChanged) ctx.eventBus.publish("read_receipts_changed", { memberId: me.memberId });
}

/** The member and their matches fetch the read positions again. */
export function pushReadReceiptSetting(ctx: AppContext): void {
  ctx.eventBus.subscribe("read_receipts_changed", async ({ memberId }) => {
    ctx.sockets.send(memberId, () => ({ reading: { user_id: null } }));
    for (const { otherMemberId } of await readMatches(ctx.db, memberId))
      await sendMemberFrame(ctx, otherMemberId, memberId, (user_id) => ({ reading: { user_id } }));
  });
}
