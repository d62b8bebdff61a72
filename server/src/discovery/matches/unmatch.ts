import type { ParsedOf } from "@alcove/contract";
import type { unmatch as unmatchCall } from "@alcove/contract/discovery";
import { findMember, NO_MEMBER } from "../../members/find-member.ts";
import { lockBoth } from "../../members/locks.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { areMatched } from "./matches.sql.ts";

export async function unmatch(
  ctx: AppContext,
  me: CurrentMember,
  { userId, goodbye }: ParsedOf<typeof unmatchCall>,
): Promise<void> {
  const other = { memberId: (await findMember(ctx, userId))?.memberId ?? NO_MEMBER };
  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    const areThere = await lockBoth(tx, me.memberId, other.memberId);
    if (!(await areMatched(tx, me.memberId, other.memberId)) || !areThere)
      throw new ApiError("user_not_found");
    return ctx.domainEvents.emit(tx, "pair_unmatched", { by: me, other, goodbye: goodbye ?? null });
  });
  afterCommit();
}
