import { RETENTION } from "@alcove/contract/retention";
import { hideMedia } from "../../media/index.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { deleteConversation } from "../conversations.sql.ts";
import { deleteMessagesAndInbox, destroyKey, findImages } from "../delete-conversation.ts";
import { tryDecryptMessage } from "../message.ts";
import { messagesByIds, messagesWithImage, type MessageRow } from "../messages.sql.ts";
import { pairOf, type Pair } from "../pair.ts";
import { findUnsentFrom, type Unsent } from "../unsent-messages.ts";
import { hasUnsent } from "../unsent-messages.sql.ts";
import * as rows from "./hidden-conversations.sql.ts";

/**
 * The conversation stays reportable until its key is destroyed.
 *
 * NOTE: the transaction must end the match first, which waits for first messages and images and prevents new ones.
 */
export async function hideConversation(tx: Tx, ctx: AppContext, a: number, b: number): Promise<void> {
  const pair = pairOf(a, b);
  const keyId = await deleteConversation(tx, pair.key);
  if (keyId === null) return;
  const images = await findImages(ctx, pair, await messagesWithImage(tx, pair.key));
  const count = await rows.copyMessages(tx, pair.key, keyId);
  await deleteMessagesAndInbox(tx, pair);
  if (count === 0 && !(await hasUnsent(tx, pair.key))) return ctx.encryption.keys.destroy(tx, [keyId]);
  const hidden = { key_id: keyId, hidden_on: utcDay(ctx.clock.now()), left_on: null };
  await rows.insertHidden(tx, { member_no: pair.low, other_no: pair.high, ...hidden });
  await rows.insertHidden(tx, { member_no: pair.high, other_no: pair.low, ...hidden });
  await hideMedia(tx, images);
}

/** Includes messages of hidden conversations, and unsent ones for a day. */
export async function findMessageFrom(
  ctx: AppContext,
  from: MemberRef,
  to: MemberRef,
  id: string,
): Promise<Unsent | null> {
  const pair = pairOf(from.memberId, to.memberId);
  // In this order, because a block moves messages in one direction only.
  const [visible] = await messagesByIds(ctx.db, [pair.key], [id]);
  const row = visible ?? (await findHiddenMessage(ctx.db, pair, id));
  if (!row || row.unsent_no !== null) return findUnsentFrom(ctx, from, pair, id);
  return row.sender_no === from.memberId ? tryDecryptMessage(ctx, pair, row) : null;
}

export async function destroyHiddenConversations(ctx: AppContext): Promise<void> {
  const daysAgo = (days: number) => utcDay(new Date(ctx.clock.now().getTime() - days * DAY_MS));
  const [day, leftUntil] = [
    daysAgo(RETENTION.hiddenConversationDays),
    daysAgo(RETENTION.leftConversationDays),
  ];
  for (const { member_no, other_no, key_id } of await rows.findHiddenUntil(ctx.db, day, leftUntil)) {
    await ctx.db.transaction().execute((tx) => destroyHidden(tx, ctx, pairOf(member_no, other_no), key_id));
  }
}

/** Locks the row of the smaller member first, so that the job and a deletion wait for each other. */
export async function destroyHidden(tx: Tx, ctx: AppContext, pair: Pair, keyId: number): Promise<void> {
  if (!(await rows.deleteHidden(tx, pair.low, pair.high, keyId))) return;
  await rows.deleteHidden(tx, pair.high, pair.low, keyId);
  const withImage = await rows.hiddenMessagesWithImage(tx, pair.key, keyId);
  const images = await findImages(ctx, pair, withImage.map(asMessageRow));
  await rows.deleteHiddenMessages(tx, pair.key, keyId);
  await destroyKey(tx, ctx, keyId, images);
}

async function findHiddenMessage(db: Db, pair: Pair, id: string): Promise<MessageRow | null> {
  const row = await rows.findHiddenMessage(db, pair.key, id);
  return row && asMessageRow(row);
}

export function asMessageRow(row: rows.HiddenMessageRow): MessageRow {
  const left = { client_id: null, encrypted_reply: null, encrypted_reactions: null };
  return { ...row, ...left, unsent_no: null, reacted_no: null };
}
