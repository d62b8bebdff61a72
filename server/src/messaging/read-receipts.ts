import { markMatchSeen } from "../discovery/index.ts";
import type { Deps, Me } from "../platform/context.ts";
import * as rows from "./conversations.sql.ts";
import type { Friend } from "./receivers.ts";
import { showEachOther } from "./read-receipt-setting.ts";

declare module "../platform/realtime/event-bus.ts" {
  interface Hints {
    /** A member has read a conversation up to a message. */
    read: {
      no: number;
      userId: string;
      friendNo: number;
      friendId: string;
      id: string;
      /** Whether the friend is to see it. */
      isShown: boolean;
    };
    /** A member has looked at a new match. */
    seen: { no: number; friendId: string };
  }
}

/**
 * Marks a conversation as read up to a message; without one, a match as looked at. It never goes back, however late an
 * older mark comes.
 */
export async function markRead(deps: Deps, me: Me, friend: Friend, dmId: string | null): Promise<void> {
  if (dmId === null) {
    if (await markMatchSeen(deps.db, me.no, friend.no))
      deps.live.tell("seen", { no: me.no, friendId: friend.userId });
    return;
  }
  const id = await rows.markRead(deps.db, me.no, friend.no, dmId);
  if (id !== null) {
    deps.live.tell("read", {
      no: me.no,
      userId: me.userId,
      friendNo: friend.no,
      friendId: friend.userId,
      id,
      isShown: await showEachOther(deps.db, me.no, friend.no),
    });
  }
}

/** Tells the member's devices of what it has read, and its friend's if both show it; and the member's own of a match that it has looked at. */
export function tellOfReading({ live, sockets }: Deps): void {
  live.on("read", ({ no, userId, friendNo, friendId, id, isShown }) => {
    const about = { reader_id: userId, dm_id: id };
    sockets.send(no, () => ({ read: { user_id: friendId, ...about } }));
    if (isShown) sockets.send(friendNo, () => ({ read: { user_id: userId, ...about } }));
  });
  live.on("seen", ({ no, friendId }) => sockets.send(no, () => ({ seen: { user_id: friendId } })));
}
