import type { Verdict } from "@alcove/contract/discovery";
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { lockAndShare } from "../members/locks.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { isPaused } from "../profiles/index.ts";
import { isHidden, isHiddenFrom } from "../safety/index.ts";
import { findUsedUpQuota, passesSince } from "./quotas.ts";
import { isPaidFor } from "./undo.ts";
import { readVerdict } from "./verdicts.sql.ts";

/** A repeated verdict is free, and so reveals nothing. A used-up quota comes before a target who left or hides. */
export async function findTarget(
  ctx: AppContext,
  me: CurrentMember,
  { userId, verdict }: { userId: string; verdict: Verdict },
): Promise<MemberRef> {
  const [target, usedUp] = await Promise.all([
    findMember(ctx, userId),
    findUsedUpQuota(ctx, me.memberId, verdict),
  ]);
  if (await isPaused(ctx.db, me.memberId)) throw new ApiError("paused");
  if (target?.memberId === me.memberId) throw new ApiError("cannot_like_yourself");
  const isMissing = (await isHiddenFrom(ctx, me.memberId, target?.memberId ?? NO_MEMBER)) || target === null;
  if (usedUp) {
    const given = await readVerdict(ctx.db, me.memberId, target?.memberId ?? NO_MEMBER, passesSince(ctx));
    const pair = { memberId: me.memberId, target: target?.memberId ?? NO_MEMBER };
    const isPaid = await isPaidFor(ctx.db, ctx, pair);
    const isFree = given === "like" || given === verdict || isPaid;
    if (!isFree || isMissing) throw new ApiError(usedUp);
  }
  if (!target || isMissing) throw new ApiError("user_not_found");
  return target;
}

/**
 * A block locks both members: it waits for the verdict and reverts it, or comes first and rejects it. The target's
 * share lock admits simultaneous likes of one member.
 */
export async function lockForVerdict(tx: Tx, me: CurrentMember, target: MemberRef): Promise<void> {
  const [isLocked, isShared] = await lockAndShare(tx, me.memberId, target.memberId);
  if (!isLocked) throw new ApiError("login_required");
  if (!isShared || (await isHidden(tx, me.memberId, target.memberId))) throw new ApiError("user_not_found");
}
