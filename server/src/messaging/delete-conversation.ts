import { deleteMedia } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./conversations.sql.ts";
import type { MessageImages } from "./events.ts";
import { tryDecryptMessage } from "./message.ts";
import { deleteMessages, messagesWithImage, type MessageRow } from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";

export async function deleteConversationsWithoutKey(tx: Tx, ctx: AppContext): Promise<void> {
  for (const pair of await rows.findPairsWithoutKey(tx)) {
    const [low, high] = pair.split(":").map(Number);
    await deleteConversation(tx, ctx, pairOf(low!, high!));
  }
}

export async function deleteMessageImages(ctx: AppContext, images: MessageImages): Promise<void> {
  for (const { ownerMemberId, mediaId } of images) await deleteMedia(ctx, ownerMemberId, mediaId);
}

export async function deleteMessagesAndInbox(tx: Tx, pair: Pair): Promise<void> {
  await deleteMessages(tx, pair.key);
  await rows.deleteInbox(tx, pair.low, pair.high);
  await rows.deleteInbox(tx, pair.high, pair.low);
}

/** A job deletes the images. */
export async function destroyKey(
  tx: Tx,
  ctx: AppContext,
  keyId: number,
  images: MessageImages,
): Promise<void> {
  await ctx.encryption.keys.destroy(tx, [keyId]);
  if (images.length > 0) await ctx.jobs.add(tx, "delete_message_images", { images });
}

/** Leaves out messages without a key, as after a restore. */
export async function findImages(
  ctx: AppContext,
  pair: Pair,
  messages: readonly MessageRow[],
): Promise<MessageImages> {
  const decrypted = await Promise.all(messages.map((row) => tryDecryptMessage(ctx, pair, row)));
  return decrypted.flatMap((message) =>
    message?.mediaId ? { ownerMemberId: message.senderMemberId, mediaId: message.mediaId } : [],
  );
}

async function deleteConversation(tx: Tx, ctx: AppContext, pair: Pair): Promise<void> {
  const keyId = await rows.deleteConversation(tx, pair.key);
  const images = await findImages(ctx, pair, await messagesWithImage(tx, pair.key));
  await deleteMessagesAndInbox(tx, pair);
  if (keyId !== null) await destroyKey(tx, ctx, keyId, images);
}
