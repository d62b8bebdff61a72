import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { isWaiting } from "../moderation/index.ts";
import { readLimit } from "../profiles/index.ts";
import { isHidden } from "../safety/index.ts";
import * as rows from "./likes.sql.ts";
import { completeMatch } from "./matches/matches.ts";
import { spendLike } from "./quotas.ts";
import { isPaidFor, storeLastVerdict } from "./undo.ts";
import { findTarget, lockForVerdict } from "./verdict-target.ts";

/**
 * A repeated like is free.
 *
 * The other side's verdict is read only after this like is committed: of two simultaneous likes, at least one sees the
 * other. The pair's key allows only one match.
 */
export async function like(
  ctx: AppContext,
  me: CurrentMember,
  likedId: string,
): Promise<{ matched: boolean }> {
  const liked = await findTarget(ctx, me, { userId: likedId, verdict: "like" });

  await ctx.db.transaction().execute(async (tx) => {
    await lockForVerdict(tx, me, liked);
    const sequenceNo = await rows.recordLike(tx, me.memberId, liked.memberId, utcDay(ctx.clock.now()));
    if (sequenceNo === null) return;
    await requireUnlimited(tx, ctx, me.memberId);
    const pair = { memberId: me.memberId, target: liked.memberId };
    if (!(await isPaidFor(tx, ctx, pair))) await spendLike(tx, ctx, me.memberId);
    const quota = { usedCard: false, keepsQuota: true };
    await storeLastVerdict(tx, ctx, { ...pair, liked: true, sequenceNo, ...quota });
    await ctx.domainEvents.emit(tx, "card_decided", { memberId: me.memberId, verdict: "like" });
    if (await isWaiting(tx, ctx, [me.memberId])) return;
    await rows.insertLikeReceived(tx, liked.memberId, me.memberId, sequenceNo);
    await ctx.jobs.add(tx, "check_match", { one: me.memberId, other: liked.memberId });
    await ctx.jobs.add(tx, "count_verdict", { actor: me.memberId, target: liked.memberId, liked: true });
  });

  const matched =
    (await rows.hasLiked(ctx.db, liked.memberId, me.memberId)) &&
    (await completeMatch(ctx, me.memberId, liked.memberId));
  // After a block, `matched: false` would reveal the other member's like.
  if (!matched && (await isHidden(ctx.db, me.memberId, liked.memberId))) throw new ApiError("user_not_found");
  return { matched };
}

/** An operator limits likes for some days. */
async function requireUnlimited(tx: Tx, { clock }: AppContext, memberId: number): Promise<void> {
  const until = await readLimit(tx, memberId);
  if (until !== null && until > clock.now())
    throw new ApiError("likes_limited", { details: { until: until.toISOString() } });
}

export async function deliverLikes(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  for (const { target, sequence_no } of await rows.readLikes(tx, memberId)) {
    await rows.insertLikeReceived(tx, target, memberId, sequence_no);
    await ctx.jobs.add(tx, "check_match", { one: memberId, other: target });
  }
}
