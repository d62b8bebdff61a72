import type { ResponseOf } from "@alcove/contract";
import type { getLikes } from "@alcove/contract/discovery";
import { LIKES_LISTED } from "@alcove/contract/limits";
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { lockAndShare } from "../members/locks.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { isHiddenFrom, readHiddenFrom } from "../safety/index.ts";
import { deleteLastVerdictOf } from "./last-verdicts.sql.ts";
import * as rows from "./own-likes.sql.ts";
import { deleteLikeReceived } from "./verdicts.sql.ts";

export async function listLikes(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof getLikes>> {
  const given = await rows.readOwnLikes(ctx.db, me.memberId, LIKES_LISTED);
  const memberIds = given.map(({ target }) => target);
  const [people, hidden] = await Promise.all([
    loadPeople(ctx, memberIds),
    readHiddenFrom(ctx, me.memberId, memberIds),
  ]);
  return {
    likes: given.flatMap(({ target, day }) => {
      const person = people.get(target);
      if (person?.isSuspended !== false || hidden.has(target)) return [];
      return Object.assign(presentParty(ctx, me, person), { liked_on: day });
    }),
  };
}

/** A match reads both likes under the same locks. */
export async function takeBackLike(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const target = (await findMember(ctx, userId))?.memberId ?? NO_MEMBER;
  const isMissing = await isHiddenFrom(ctx, me.memberId, target);
  await ctx.db.transaction().execute(async (tx) => {
    await lockAndShare(tx, me.memberId, target);
    const day = utcDay(ctx.clock.now());
    if (isMissing || !(await rows.turnLikeIntoPass(tx, me.memberId, target, day)))
      throw new ApiError("user_not_found");
    await deleteLikeReceived(tx, target, me.memberId);
    await deleteLastVerdictOf(tx, me.memberId, target);
    await ctx.jobs.add(tx, "count_order_inputs", { memberIds: [target] });
  });
}
