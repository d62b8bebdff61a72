import { areMatched } from "../discovery/index.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import { sendMemberFrame } from "./send-member-frame.ts";
import * as rows from "./typing.sql.ts";

/** The response is the same whether or not the other member shows typing. */
export async function showTypingTo(ctx: AppContext, me: CurrentMember, other: MemberRef): Promise<void> {
  if (await rows.showsTyping(ctx.db, me.memberId))
    ctx.eventBus.publish("typing", { memberId: me.memberId, otherMemberId: other.memberId });
}

/** Checks the match again: a block may have ended it since the call. */
export function pushTyping(ctx: AppContext): void {
  ctx.eventBus.subscribe("typing", async ({ memberId, otherMemberId }) => {
    if (!ctx.sockets.has(otherMemberId)) return;
    const isShown =
      (await rows.showsTyping(ctx.db, otherMemberId)) && (await areMatched(ctx.db, memberId, otherMemberId));
    if (isShown) await sendMemberFrame(ctx, otherMemberId, memberId, (user_id) => ({ typing: { user_id } }));
  });
}
