import type { Party } from "@alcove/contract/users";
import { findMember, findMemberId } from "../accounts/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./clear-viewers.sql.ts";
import { lockMatch } from "./matches.sql.ts";

/**
 * Lets a match see the clear picture that the member keeps. Strangers, nobody and the blocked are refused alike.
 *
 * Picture and match are held meanwhile: whatever ends one of them comes before and is obeyed, or after and takes this
 * permission with it.
 */
export async function showClearIcon(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = await findMember(ctx, userId);
  if (!other) throw new ApiError("user_not_found");
  await ctx.db.transaction().execute(async (tx) => {
    const isKept = await rows.holdClearIcon(tx, me.memberId);
    if (!(await lockMatch(tx, me.memberId, other.memberId))) throw new ApiError("user_not_found");
    if (!isKept) throw new ApiError("clear_icon_missing");
    await rows.insertViewer(tx, me.memberId, other.memberId, ctx.clock.now());
  });
}

/**
 * Takes the permission back: the very next look at the picture is refused. Harmless to repeat, and answered alike whoever
 * is named: a blocker, a nobody, somebody suspended.
 */
export async function hideClearIcon(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const memberId = await findMemberId(ctx, userId);
  if (memberId !== null) await rows.deleteViewer(ctx.db, me.memberId, memberId);
}

/** Whom the member shows its clear picture to, the latest first; the suspended are nobody while they are. */
export async function clearIconViewers(ctx: AppContext, me: CurrentMember): Promise<{ users: Party[] }> {
  const memberIds = await rows.readViewers(ctx.db, me.memberId);
  const people = await loadPeople(ctx, memberIds);
  const shown = memberIds
    .flatMap((memberId) => people.get(memberId) ?? [])
    .filter(({ accountStatus }) => accountStatus === "active");
  return { users: shown.map((person) => presentParty(ctx, me, person)) };
}
