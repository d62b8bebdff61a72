import type { AppContext } from "../platform/context.ts";
import * as members from "./members.sql.ts";
import { endSessionsOf } from "./login/sessions.sql.ts";

export async function suspendMember(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await members.setAccountStatus(tx, memberId, "suspended");
    await endSessionsOf(tx, memberId, ctx.clock.now());
    await ctx.domainEvents.emit(tx, "member_suspended", { memberId });
  });
  ctx.eventBus.publish("member_ended", { memberId });
}

export async function restoreMember(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await members.setAccountStatus(tx, memberId, "active");
    await ctx.domainEvents.emit(tx, "member_restored", { memberId });
  });
}
