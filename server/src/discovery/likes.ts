import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { isBlockedEither } from "../safety/index.ts";
import { judge } from "./verdict-lock.ts";
import { completeMatch } from "./matches.ts";
import { spendLike } from "./quotas.ts";
import { forgetLastPass } from "./undo.sql.ts";
import * as rows from "./verdicts.sql.ts";

/**
 * Likes a candidate and, when the like is returned, makes the match.
 *
 * A like twice is one like and costs once. The other side is asked only after our own like is committed: of two people
 * who like each other at the same moment at least one sees the other, and the pair's key makes one match of it.
 */
export async function like(
  ctx: AppContext,
  me: CurrentMember,
  likedId: string,
): Promise<{ matched: boolean }> {
  const liked = await judge(ctx, me, likedId, async (tx, { memberId }) => {
    const now = ctx.clock.now();
    const isNew = await rows.recordLike(tx, me.memberId, memberId, now); // a pass becomes a like; a like stays one
    if (!isNew) return;
    await spendLike(tx, ctx, me.memberId);
    await forgetLastPass(tx, me.memberId);
    await rows.insertLikeReceived(tx, memberId, me.memberId, now);
    await ctx.jobs.add(tx, "check_match", { one: me.memberId, other: memberId });
  });

  const matched =
    (await rows.hasLiked(ctx.db, liked.memberId, me.memberId)) &&
    (await completeMatch(ctx, me.memberId, liked.memberId));
  // A block may have come in between: who has liked us and is no match of ours would tell of it.
  if (!matched && (await isBlockedEither(ctx.db, me.memberId, liked.memberId)))
    throw new ApiError("user_not_found");
  return { matched };
}
