import { findUserId } from "../members/user-ids.ts";
import { markMatchSeen } from "../discovery/index.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import * as rows from "./conversations.sql.ts";
import { showReadReceiptsToEachOther } from "./read-receipt-setting.ts";
import { sendMemberFrame } from "./send-member-frame.ts";

/** Without a message, marks the match as seen. The read position never goes back. */
export async function markRead(
  ctx: AppContext,
  me: CurrentMember,
  other: MemberRef,
  dmId: string | null,
): Promise<void> {
  if (dmId === null) {
    if (await markMatchSeen(ctx.db, me.memberId, other.memberId))
      ctx.eventBus.publish("match_seen", { memberId: me.memberId, otherMemberId: other.memberId });
    return;
  }
  const id = await rows.markRead(ctx.db, me.memberId, other.memberId, dmId);
  if (id !== null) {
    ctx.eventBus.publish("messages_read", {
      memberId: me.memberId,
      otherMemberId: other.memberId,
      id,
      isShown: await showReadReceiptsToEachOther(ctx.db, me.memberId, other.memberId),
    });
  }
}

export function pushReadReceipts(ctx: AppContext): void {
  ctx.eventBus.subscribe("messages_read", async ({ memberId, otherMemberId, id, isShown }) => {
    const { db, encryption, sockets } = ctx;
    if (!sockets.has(memberId) && !sockets.has(otherMemberId)) return;
    const reader_id = await findUserId(db, encryption, memberId);
    if (reader_id === null) return;
    const position = { reader_id, dm_id: id };
    await sendMemberFrame(ctx, memberId, otherMemberId, (user_id) => ({ read: { user_id, ...position } }));
    if (isShown) sockets.send(otherMemberId, () => ({ read: { user_id: reader_id, ...position } }));
  });
  ctx.eventBus.subscribe("match_seen", ({ memberId, otherMemberId }) =>
    sendMemberFrame(ctx, memberId, otherMemberId, (user_id) => ({ seen: { user_id } })),
  );
}
