import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { passesSince, spendPass } from "./quotas.ts";
import { storeLastPass } from "./undo-pass.ts";
import { findTarget, lockForVerdict } from "./verdict-target.ts";
import * as rows from "./verdicts.sql.ts";

/** A pass on a liked or matched member changes nothing. */
export async function pass(
  ctx: AppContext,
  me: CurrentMember,
  passedId: string,
): Promise<Record<string, never>> {
  const passed = await findTarget(ctx, me, { userId: passedId, verdict: "pass" });

  await ctx.db.transaction().execute(async (tx) => {
    await lockForVerdict(tx, me, passed);
    const day = utcDay(ctx.clock.now());
    const sequenceNo = await rows.recordPass(tx, me.memberId, passed.memberId, day, passesSince(ctx));
    if (sequenceNo === null) return;
    const usedCard = await spendPass(tx, ctx, me.memberId);
    await rows.deleteLikeReceived(tx, me.memberId, passed.memberId);
    await storeLastPass(tx, ctx, { memberId: me.memberId, target: passed.memberId, sequenceNo, usedCard });
  });
  return {};
}
