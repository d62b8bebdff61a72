import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { spendPass } from "./quotas.ts";
import { storeLastPass } from "./undo-pass.ts";
import { findTarget, lockForVerdict } from "./verdict-target.ts";
import * as rows from "./verdicts.sql.ts";

/** A pass on a liked or matched member changes nothing. */
export async function pass(
  ctx: AppContext,
  me: CurrentMember,
  passedId: string,
): Promise<Record<string, never>> {
  const passed = await findTarget(ctx, me, passedId);

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

/** Passes count for at least `PASS_DAYS` days, until the end of a day. With 0 days none counts. */
export function passesSince({ clock, config }: AppContext): string {
  const days = config.passDays === 0 ? -1 : config.passDays;
  return utcDay(new Date(clock.now().getTime() - days * DAY_MS));
}
