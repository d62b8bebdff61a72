import type { ParsedOf } from "@alcove/contract";
import type { unsendDm } from "@alcove/contract/messaging";
import { releaseMedia } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me, MemberRef } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { findFriend } from "./receivers.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { openMessage } from "./present.ts";

declare module "../platform/realtime/event-bus.ts" {
  interface Hints {
    /** A message was taken back. */
    unsent: { no: number; userId: string; friendNo: number; friendId: string; id: string };
  }
}

/**
 * Takes a message of one's own back, for both sides. Text and image are deleted for good; the emptied row stays, so that
 * who was away learns of it, and the same message sent again by a late device is not a new one.
 */
export async function unsendMessage(
  deps: Deps,
  me: Me,
  { friendId, dmId }: ParsedOf<typeof unsendDm>,
): Promise<void> {
  const friend = await findFriend(deps, me, friendId);
  const isNews = await deps.db
    .transaction()
    .execute((tx) => empty(tx, deps, me, friend, pairOf(me.no, friend.no), dmId));
  if (isNews) {
    // After the commit: nobody hears of what was rolled back.
    deps.live.tell("unsent", {
      no: me.no,
      userId: me.userId,
      friendNo: friend.no,
      friendId: friend.userId,
      id: dmId,
    });
  }
}

/** Tells both sides' devices of what was taken back. */
export function tellOfUnsent({ live, sockets }: Deps): void {
  live.on("unsent", ({ no, userId, friendNo, friendId, id }) => {
    sockets.send(no, () => ({ unsent: { user_id: friendId, dm_id: id } }));
    sockets.send(friendNo, () => ({ unsent: { user_id: userId, dm_id: id } }));
  });
}

/** Under the same locks as a message that is sent; false when it was taken back before. */
async function empty(
  tx: Tx,
  deps: Deps,
  me: MemberRef,
  friend: MemberRef,
  pair: Pair,
  id: string,
): Promise<boolean> {
  if (!(await conversations.holdMatch(tx, me.no, friend.no))) throw refuse("conversation_not_found");
  await conversations.lockConversation(tx, pair.key);
  const [row] = await rows.messagesByIds(tx, [pair.key], [id]);
  if (row?.sender_no !== me.no) throw refuse("message_not_found");
  if (row.unsent_no !== null) return false;

  const { mediaId } = openMessage(deps, pair, row);
  await rows.emptyMessage(tx, pair.key, id, await conversations.countOneUnsent(tx, pair.key));
  await setLasts(tx, pair, me.no, friend.no);
  if (mediaId !== null) await releaseMedia(tx, deps, me.no, mediaId);
  return true;
}

/** Finds out anew what is the last message of each side, in the order of their members. */
async function setLasts(tx: Tx, pair: Pair, senderNo: number, receiverNo: number): Promise<void> {
  const [newest] = await rows.newestMessages(tx, pair.key, null, 1);
  const last = { last_message_id: newest?.message_id ?? null };
  const received = await rows.newestOfSender(tx, pair.key, senderNo);
  for (const no of [pair.low, pair.high]) {
    if (no === senderNo) await conversations.setLasts(tx, no, receiverNo, last);
    else await conversations.setLasts(tx, no, senderNo, { ...last, last_received_id: received });
  }
}
