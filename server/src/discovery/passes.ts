import type { AppContext, CurrentMember } from "../platform/context.ts";
import { judge, passesSince } from "./verdict-lock.ts";
import { spendPass } from "./quotas.ts";
import { rememberPass } from "./undo.ts";
import * as rows from "./verdicts.sql.ts";

/**
 * Passes on a candidate for `PASS_DAYS`. A pass twice is one pass; of somebody already liked or matched it changes
 * nothing and costs nothing.
 */
export async function pass(ctx: AppContext, me: CurrentMember, passedId: string): Promise<void> {
  await judge(ctx, me, passedId, async (tx, { memberId }) => {
    const at = ctx.clock.now();
    const isNew = await rows.recordPass(tx, me.memberId, memberId, at, passesSince(ctx));
    if (!isNew) return;
    const usedCard = await spendPass(tx, ctx, me.memberId);
    await rows.deleteLikeReceived(tx, me.memberId, memberId);
    await rememberPass(tx, ctx, { memberId: me.memberId, target: memberId, at, usedCard });
  });
}
