import { RETENTION } from "@alcove/contract/retention";
import { hideMedia } from "../../media/index.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { deleteConversation, readInbox } from "../conversations.sql.ts";
import { deleteMessagesAndInbox, destroyKey, findImages } from "../delete-conversation.ts";
import type { MessageImages } from "../events.ts";
import { lowestIdAt } from "../message-id.ts";
import { messagesWithImage } from "../messages.sql.ts";
import { otherMemberOf, pairOf, type Pair } from "../pair.ts";
import { destroyUnsent } from "../unsent-messages.ts";
import { hasUnsent } from "../unsent-messages.sql.ts";
import { asMessageRow, destroyHidden } from "./hidden-conversations.ts";
import * as rows from "./hidden-conversations.sql.ts";

/**
 * At the deletion of an account. The member's last messages stay reportable by the other side, unseen.
 *
 * NOTE: the member's matches must be ended first, which waits for first messages and images and prevents new ones.
 */
export async function leaveConversations(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const others = (await readInbox(tx, memberId)).map(({ other_no }) => other_no).toSorted((a, b) => a - b);
  const kept = new Set<number>();
  for (const other of others) {
    const keyId = await leaveConversation(tx, ctx, memberId, pairOf(memberId, other));
    if (keyId !== null) kept.add(keyId);
  }
  for (const { other_no, key_id } of await rows.readHiddenOf(tx, memberId))
    if (!kept.has(key_id)) await leaveHidden(tx, ctx, memberId, { pair: pairOf(memberId, other_no), key_id });
}

/** Returns the key of what remains. */
async function leaveConversation(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  pair: Pair,
): Promise<number | null> {
  const keyId = await deleteConversation(tx, pair.key);
  const withImage = await messagesWithImage(tx, pair.key);
  await destroyUnsent(tx, ctx, pair, { sender: otherMemberOf(pair, memberId) });
  const mine = messagesOf(ctx, memberId);
  const count = keyId === null ? 0 : await rows.copyMessages(tx, pair.key, keyId, mine);
  await deleteMessagesAndInbox(tx, pair);
  if (keyId === null) return null;
  if (count === 0 && !(await hasUnsent(tx, pair.key))) {
    await destroyKey(tx, ctx, keyId, await findImages(ctx, pair, withImage));
    return null;
  }
  const today = utcDay(ctx.clock.now());
  const left = { key_id: keyId, hidden_on: today, left_on: today };
  await rows.insertHidden(tx, { member_no: pair.low, other_no: pair.high, ...left });
  await rows.insertHidden(tx, { member_no: pair.high, other_no: pair.low, ...left });
  const isMine = (row: { sender_no: number; message_id: string }) =>
    row.sender_no === mine.sender && row.message_id >= mine.from;
  await hideMedia(tx, await findImages(ctx, pair, withImage.filter(isMine)));
  const others = withImage.filter((row) => !isMine(row));
  await deleteImages(tx, ctx, await findImages(ctx, pair, others));
  return keyId;
}

async function leaveHidden(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  { pair, key_id: keyId }: { pair: Pair; key_id: number },
): Promise<void> {
  await destroyUnsent(tx, ctx, pair, { sender: otherMemberOf(pair, memberId) });
  const isFirst = await rows.setLeft(tx, pair, keyId, utcDay(ctx.clock.now()));
  if (!isFirst) return destroyHidden(tx, ctx, pair, keyId);
  const dropped = await rows.keepOnly(tx, pair.key, keyId, messagesOf(ctx, memberId));
  const withImage = dropped.filter(({ encrypted_media }) => encrypted_media !== null).map(asMessageRow);
  await deleteImages(tx, ctx, await findImages(ctx, pair, withImage));
  const isEmpty = !(await rows.hasHiddenMessages(tx, pair.key, keyId)) && !(await hasUnsent(tx, pair.key));
  if (isEmpty) await destroyHidden(tx, ctx, pair, keyId);
}

function messagesOf({ clock }: AppContext, memberId: number): rows.SenderAndId {
  return { sender: memberId, from: lowestIdAt(clock.now().getTime() - RETENTION.leftMessageDays * DAY_MS) };
}

async function deleteImages(tx: Tx, ctx: AppContext, images: MessageImages): Promise<void> {
  if (images.length > 0) await ctx.jobs.add(tx, "delete_message_images", { images });
}
