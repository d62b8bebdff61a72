import type { ParsedOf } from "@alcove/contract";
import type { readDm } from "@alcove/contract/messaging";
import type { Deps, Me } from "../platform/deps.ts";
import * as rows from "./conversations.sql.ts";
import { findFriend } from "./friend.ts";

declare module "../platform/live.ts" {
  interface Hints {
    /** A member has read a conversation up to a message. */
    read: { no: number; userId: string; friendNo: number; friendId: string; id: string };
  }
}

/** Marks a conversation as read up to a message. It never goes back, however late an older mark comes. */
export async function markRead(
  deps: Deps,
  me: Me,
  { friendId, dmId }: ParsedOf<typeof readDm>,
): Promise<void> {
  const friend = await findFriend(deps, me, friendId);
  const id = await rows.markRead(deps.db, me.no, friend.no, dmId);
  if (id !== null) {
    deps.live.tell("read", {
      no: me.no,
      userId: me.userId,
      friendNo: friend.no,
      friendId: friend.userId,
      id,
    });
  }
}

/** Tells both sides' devices of what was read. */
export function tellOfReading({ live, sockets }: Deps): void {
  live.on("read", ({ no, userId, friendNo, friendId, id }) => {
    const about = { reader_id: userId, dm_id: id };
    sockets.send(no, () => ({ read: { user_id: friendId, ...about } }));
    sockets.send(friendNo, () => ({ read: { user_id: userId, ...about } }));
  });
}
