import { markMatchSeen } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import * as rows from "./conversations.sql.ts";
import type { Friend } from "./receivers.ts";
import { showEachOther } from "./read-receipt-setting.ts";

/**
 * Marks a conversation as read up to a message; without one, a match as looked at. It never goes back, however late an
 * older mark comes.
 */
export async function markRead(
  ctx: AppContext,
  me: CurrentMember,
  friend: Friend,
  dmId: string | null,
): Promise<void> {
  if (dmId === null) {
    if (await markMatchSeen(ctx.db, me.memberId, friend.memberId))
      ctx.eventBus.publish("seen", { memberId: me.memberId, friendId: friend.userId });
    return;
  }
  const id = await rows.markRead(ctx.db, me.memberId, friend.memberId, dmId);
  if (id !== null) {
    ctx.eventBus.publish("read", {
      memberId: me.memberId,
      userId: me.userId,
      friendMemberId: friend.memberId,
      friendId: friend.userId,
      id,
      isShown: await showEachOther(ctx.db, me.memberId, friend.memberId),
    });
  }
}

/** Tells the member's devices of what it has read, and its friend's if both show it; and the member's own of a match that it has looked at. */
export function tellOfReading({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("read", ({ memberId, userId, friendMemberId, friendId, id, isShown }) => {
    const about = { reader_id: userId, dm_id: id };
    sockets.send(memberId, () => ({ read: { user_id: friendId, ...about } }));
    if (isShown) sockets.send(friendMemberId, () => ({ read: { user_id: userId, ...about } }));
  });
  eventBus.subscribe("seen", ({ memberId, friendId }) =>
    sockets.send(memberId, () => ({ seen: { user_id: friendId } })),
  );
}
