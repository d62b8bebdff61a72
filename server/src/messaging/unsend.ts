import type { ParsedOf } from "@alcove/contract";
import type { unsendDm } from "@alcove/contract/messaging";
import { lockMatch } from "../discovery/index.ts";
import { releaseMedia } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { findFriend } from "./receivers.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { openMessage } from "./present.ts";

/**
 * Takes a message of one's own back, for both sides. Text and image are deleted for good; the emptied row stays, so that
 * who was away learns of it, and the same message sent again by a late device is not a new one.
 */
export async function unsendMessage(
  ctx: AppContext,
  me: CurrentMember,
  { friendId, dmId }: ParsedOf<typeof unsendDm>,
): Promise<void> {
  const friend = await findFriend(ctx, me, friendId);
  const isNews = await ctx.db
    .transaction()
    .execute((tx) => empty(tx, ctx, me, friend, pairOf(me.memberId, friend.memberId), dmId));
  if (isNews) {
    // After the commit: nobody hears of what was rolled back.
    ctx.eventBus.publish("unsent", {
      memberId: me.memberId,
      userId: me.userId,
      friendMemberId: friend.memberId,
      friendId: friend.userId,
      id: dmId,
    });
  }
}

/** Tells both sides' devices of what was taken back. */
export function tellOfUnsent({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("unsent", ({ memberId, userId, friendMemberId, friendId, id }) => {
    sockets.send(memberId, () => ({ unsent: { user_id: friendId, dm_id: id } }));
    sockets.send(friendMemberId, () => ({ unsent: { user_id: userId, dm_id: id } }));
  });
}

/** Under the same locks as a message that is sent; false when it was taken back before. */
async function empty(
  tx: Tx,
  ctx: AppContext,
  me: MemberRef,
  friend: MemberRef,
  pair: Pair,
  id: string,
): Promise<boolean> {
  if (!(await lockMatch(tx, me.memberId, friend.memberId))) throw new ApiError("conversation_not_found");
  await conversations.lockConversation(tx, pair.key);
  const [row] = await rows.messagesByIds(tx, [pair.key], [id]);
  if (row?.sender_no !== me.memberId) throw new ApiError("message_not_found");
  if (row.unsent_no !== null) return false;

  const { mediaId } = openMessage(ctx, pair, row);
  await rows.emptyMessage(tx, pair.key, id, await conversations.countOneUnsent(tx, pair.key));
  await setLasts(tx, pair, me.memberId, friend.memberId);
  if (mediaId !== null) await releaseMedia(tx, ctx, me.memberId, mediaId);
  return true;
}

/** Finds out anew what is the last message of each side, in the order of their members. */
async function setLasts(tx: Tx, pair: Pair, senderMemberId: number, receiverMemberId: number): Promise<void> {
  const [newest] = await rows.newestMessages(tx, pair.key, null, 1);
  const last = { last_message_id: newest?.message_id ?? null };
  const received = await rows.newestOfSender(tx, pair.key, senderMemberId);
  for (const memberId of [pair.low, pair.high]) {
    if (memberId === senderMemberId) await conversations.setLasts(tx, memberId, receiverMemberId, last);
    else await conversations.setLasts(tx, memberId, senderMemberId, { ...last, last_received_id: received });
  }
}
