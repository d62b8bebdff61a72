import { markMatchSeen } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import * as rows from "./conversations.sql.ts";
import type { MatchedMember } from "./receivers.ts";
import { showReadReceiptsToEachOther } from "./read-receipt-setting.ts";

/** Without a message, marks the match as seen. The read position never goes back. */
export async function markRead(
  ctx: AppContext,
  me: CurrentMember,
  other: MatchedMember,
  dmId: string | null,
): Promise<void> {
  if (dmId === null) {
    if (await markMatchSeen(ctx.db, me.memberId, other.memberId))
      ctx.eventBus.publish("match_seen", { memberId: me.memberId, otherUserId: other.userId });
    return;
  }
  const id = await rows.markRead(ctx.db, me.memberId, other.memberId, dmId);
  if (id !== null) {
    ctx.eventBus.publish("messages_read", {
      memberId: me.memberId,
      userId: me.userId,
      otherMemberId: other.memberId,
      otherUserId: other.userId,
      id,
      isShown: await showReadReceiptsToEachOther(ctx.db, me.memberId, other.memberId),
    });
  }
}

export function pushReadReceipts({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("messages_read", ({ memberId, userId, otherMemberId, otherUserId, id, isShown }) => {
    const position = { reader_id: userId, dm_id: id };
    sockets.send(memberId, () => ({ read: { user_id: otherUserId, ...position } }));
    if (isShown) sockets.send(otherMemberId, () => ({ read: { user_id: userId, ...position } }));
  });
  eventBus.subscribe("match_seen", ({ memberId, otherUserId }) =>
    sockets.send(memberId, () => ({ seen: { user_id: otherUserId } })),
  );
}
