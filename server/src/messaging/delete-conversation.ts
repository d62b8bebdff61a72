import { deleteMedia } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./conversations.sql.ts";
import type { MessageImages } from "./events.ts";
import { decryptMessage } from "./message.ts";
import { deleteMessages, messagesWithImage } from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";

/** NOTE: the transaction must end the match first, which waits for first messages and images and prevents new ones. */
export async function deleteConversation(tx: Tx, ctx: AppContext, a: number, b: number): Promise<void> {
  const pair = pairOf(a, b);
  await rows.deleteConversation(tx, pair.key);
  const images = await findImages(tx, ctx, pair);
  await deleteMessages(tx, pair.key);
  await rows.deleteInbox(tx, pair.low, pair.high);
  await rows.deleteInbox(tx, pair.high, pair.low);
  if (images.length > 0) await ctx.jobs.add(tx, "delete_message_images", { images });
}

/** NOTE: the member's matches must be ended first. */
export async function deleteAllConversations(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const others = (await rows.readInbox(tx, memberId))
    .map(({ other_no }) => other_no)
    .toSorted((a, b) => a - b);
  for (const other of others) await deleteConversation(tx, ctx, memberId, other);
}

export async function deleteMessageImages(ctx: AppContext, images: MessageImages): Promise<void> {
  for (const { ownerMemberId, mediaId } of images) await deleteMedia(ctx, ownerMemberId, mediaId);
}

async function findImages(tx: Tx, ctx: AppContext, pair: Pair): Promise<MessageImages> {
  const messages = await messagesWithImage(tx, pair.key);
  return messages.flatMap((row) => {
    const { senderMemberId, mediaId } = decryptMessage(ctx, pair, row);
    return mediaId === null ? [] : { ownerMemberId: senderMemberId, mediaId };
  });
}
