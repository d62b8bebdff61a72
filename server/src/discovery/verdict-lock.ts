import { findMember, lockAndShare } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { isBlockedEither } from "../safety/index.ts";

/**
 * Finds whom a like or a pass is about and gives the verdict in one transaction.
 *
 * Our own row is locked meanwhile, which a block locks too: a verdict comes before the block, which then undoes it, or
 * after it and is refused. The other's row is only held, so that a crowd may like one person at once, and that nothing
 * is written about somebody who is being deleted.
 */
export async function judge(
  ctx: AppContext,
  me: CurrentMember,
  otherId: string,
  give: (tx: Tx, other: MemberRef) => Promise<void>,
): Promise<MemberRef> {
  const other = await findMember(ctx, otherId);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_like_yourself");
  if (!other) throw new ApiError("user_not_found");

  await ctx.db.transaction().execute(async (tx) => {
    const [isLocked, isShared] = await lockAndShare(tx, me.memberId, other.memberId);
    if (!isLocked) throw new ApiError("login_required");
    if (!isShared) throw new ApiError("user_not_found");
    if (await isBlockedEither(tx, me.memberId, other.memberId)) throw new ApiError("user_not_found");
    await give(tx, other);
  });
  return other;
}

/** Passes given after this moment still count (`PASS_DAYS`). */
export function passesSince(ctx: AppContext): Date {
  return new Date(ctx.clock.now().getTime() - ctx.config.passDays * DAY_MS);
}
