import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { lockMember } from "../members/locks.ts";
import * as members from "../members/members.sql.ts";
import { publishSessionsEnded } from "./login/sessions.ts";
import { endSessionsOf } from "./login/sessions.sql.ts";

/** Sends no email: `cases` decides, and announces. */
export async function suspendMember(ctx: AppContext, memberId: number): Promise<void> {
  const publish = await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, memberId);
    return suspendIn(tx, ctx, memberId);
  });
  publish?.();
}

/** The caller holds the member's lock. Returns a function for after the commit, or null if nothing changes. */
export async function suspendIn(tx: Tx, ctx: AppContext, memberId: number): Promise<(() => void) | null> {
  if (!(await members.setSuspended(tx, memberId))) return null;
  await endSessionsOf(tx, memberId, ctx.clock.now());
  const afterCommit = await ctx.domainEvents.emit(tx, "member_suspended", { memberId });
  return () => {
    ctx.eventBus.publish("member_ended", { memberId });
    afterCommit();
  };
}

export async function restoreMember(ctx: AppContext, memberId: number): Promise<void> {
  const ended = await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, memberId);
    return restoreIn(tx, ctx, memberId);
  });
  publishSessionsEnded(ctx, memberId, ended ?? []);
}

/**
 * Ends the sessions that know the case only, and returns them for `publishSessionsEnded`. Returns null if nothing
 * changes. The caller holds the member's lock.
 */
export async function restoreIn(tx: Tx, ctx: AppContext, memberId: number): Promise<string[] | null> {
  if (!(await members.setRestored(tx, memberId))) return null;
  await ctx.domainEvents.emit(tx, "member_restored", { memberId });
  return endSessionsOf(tx, memberId, ctx.clock.now());
}
