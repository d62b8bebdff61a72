import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { areMatched } from "./matches/matches.sql.ts";
import { passesSince, spendPass } from "./quotas.ts";
import { holdsQuota, isPaidFor, storeLastVerdict } from "./undo.ts";
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
    const pair = { memberId: me.memberId, target: passed.memberId };
    const keepsQuota = await isPaidFor(tx, ctx, pair);
    const usedCard = !keepsQuota && (await spendPass(tx, ctx, me.memberId));
    await rows.deleteLikeReceived(tx, me.memberId, passed.memberId);
    await storeLastVerdict(tx, ctx, { ...pair, liked: false, sequenceNo, usedCard, keepsQuota });
    await ctx.jobs.add(tx, "count_verdict", { actor: pair.memberId, target: pair.target, liked: false });
    await ctx.domainEvents.emit(tx, "card_decided", { memberId: me.memberId, verdict: "pass" });
  });
  return {};
}

export async function passForGood(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const passed = await findTarget(ctx, me, { userId, verdict: "pass" });

  await ctx.db.transaction().execute(async (tx) => {
    await lockForVerdict(tx, me, passed);
    const pair = { memberId: me.memberId, target: passed.memberId };
    if (await areMatched(tx, pair.memberId, pair.target)) return;
    const given = await rows.readVerdict(tx, pair.memberId, pair.target, passesSince(ctx));
    const sequenceNo = await rows.recordPassForGood(tx, pair.memberId, pair.target);
    if (sequenceNo === null) return;
    const keepsQuota = await holdsQuota(tx, ctx, pair);
    const usedCard = given === null && !keepsQuota && (await spendPass(tx, ctx, me.memberId));
    for (const [target, actor] of [
      [pair.memberId, pair.target],
      [pair.target, pair.memberId],
    ] as const)
      await rows.deleteLikeReceived(tx, target, actor);
    await ctx.jobs.add(tx, "count_order_inputs", { memberIds: [pair.target] });
    await storeLastVerdict(tx, ctx, { ...pair, liked: false, sequenceNo, usedCard, keepsQuota });
  });
}
