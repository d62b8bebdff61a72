import { forgetMedia } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./conversations.sql.ts";
import { deleteMessages, messagesWithImage } from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { openMessage } from "./present.ts";
import type { MessageImages } from "./events.ts";

/**
 * Removes the conversation of two members for both, in the transaction that ended their match.
 *
 * NOTE: the match must have been ended before: that waits for first messages and images on their way, and lets no other
 * begin. The rest wait for the conversation's row, or this for them.
 */
export async function endConversation(tx: Tx, ctx: AppContext, a: number, b: number): Promise<void> {
  const pair = pairOf(a, b);
  await rows.deleteConversation(tx, pair.key);
  const images = await imagesOf(tx, ctx, pair);
  await deleteMessages(tx, pair.key);
  await rows.deleteInbox(tx, pair.low, pair.high);
  await rows.deleteInbox(tx, pair.high, pair.low);
  if (images.length > 0) await ctx.jobs.add(tx, "forget_message_images", { images });
}

/** Removes all conversations of a member who is being deleted; the matches must have been ended before. */
export async function endConversationsOf(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const others = (await rows.inboxOf(tx, memberId)).map(({ other_no }) => other_no).toSorted((a, b) => a - b);
  for (const other of others) await endConversation(tx, ctx, memberId, other);
}

/** Removes images whose messages are gone; harmless to repeat. */
export async function forgetImages(ctx: AppContext, images: MessageImages): Promise<void> {
  for (const { ownerMemberId, mediaId } of images) await forgetMedia(ctx, ownerMemberId, mediaId);
}

async function imagesOf(tx: Tx, ctx: AppContext, pair: Pair): Promise<MessageImages> {
  const messages = await messagesWithImage(tx, pair.key);
  return messages.flatMap((row) => {
    const { senderMemberId, mediaId } = openMessage(ctx, pair, row);
    return mediaId === null ? [] : { ownerMemberId: senderMemberId, mediaId };
  });
}
