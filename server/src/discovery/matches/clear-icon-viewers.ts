import type { Party } from "@alcove/contract/users";
import { findMember, findMemberId, NO_MEMBER } from "../../members/find-member.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { loadPeople, presentParty } from "../../profiles/index.ts";
import * as rows from "./clear-icon-viewers.sql.ts";
import { lockMatch } from "./matches.sql.ts";

/**
 * Share-locks picture and match: a simultaneous deletion comes first or deletes this permission too. An unknown member
 * takes the same statements.
 */
export async function showClearIcon(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = (await findMember(ctx, userId))?.memberId ?? NO_MEMBER;
  await ctx.db.transaction().execute(async (tx) => {
    const hasClearIcon = await rows.shareLockClearIcon(tx, me.memberId);
    if (!(await lockMatch(tx, me.memberId, other))) throw new ApiError("user_not_found");
    if (!hasClearIcon) throw new ApiError("clear_icon_missing");
    await rows.insertViewer(tx, me.memberId, other);
  });
}

/** Responds alike for blocking, suspended and non-existent users. */
export async function hideClearIcon(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const memberId = (await findMemberId(ctx, userId)) ?? NO_MEMBER;
  await rows.deleteViewer(ctx.db, me.memberId, memberId);
}

export async function clearIconViewers(ctx: AppContext, me: CurrentMember): Promise<{ users: Party[] }> {
  const memberIds = await rows.readViewers(ctx.db, me.memberId);
  const people = await loadPeople(ctx, memberIds);
  const shown = memberIds
    .flatMap((memberId) => people.get(memberId) ?? [])
    .filter(({ isSuspended }) => !isSuspended);
  return { users: shown.map((person) => presentParty(ctx, me, person)) };
}
