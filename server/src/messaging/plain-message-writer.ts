import { randomUUID } from "node:crypto";
import { lockMatch } from "../discovery/index.ts";
import { claimMedia } from "../media/index.ts";
import { addEntry, notifySoon } from "../notifications/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { limitLinks, lockForLinkLimit } from "./link-rate-limit.ts";
import {
  createMessage,
  decryptMessage,
  encryptMessage,
  receiverOf,
  type Draft,
  type Stored,
} from "./message.ts";
import * as rows from "./messages.sql.ts";
import type { Pair } from "./pair.ts";

export async function storeInTransaction(ctx: AppContext, draft: Draft): Promise<Stored> {
  const { stored, hasEntry } = await ctx.db.transaction().execute((tx) => storeMessage(tx, ctx, draft));
  if (hasEntry) notifySoon(ctx);
  return stored;
}

/**
 * Locks a new sender of links, the match and the conversation, in this order.
 *
 * A block or deletion either precedes this message and prevents it, or waits and deletes it. The lock on the conversation
 * makes ids grow in commit order.
 */
async function storeMessage(
  tx: Tx,
  ctx: AppContext,
  draft: Draft,
): Promise<{ stored: Stored; hasEntry: boolean }> {
  const { pair, senderMemberId, mediaId } = draft;
  const links = await lockForLinkLimit(tx, ctx, draft);
  const { lastId, keyId, known } = await lockConversation(tx, ctx, draft);
  if (known) {
    const message = await decryptMessage(ctx, pair, known);
    return { stored: { message, keyId, isNew: false, previousId: null }, hasEntry: false };
  }
  // Another conversation of the pair has ended since the image was encrypted.
  if (mediaId !== null && draft.keyId !== keyId) throw new ApiError("conversation_not_found");
  if (links.length > 0) await limitLinks(tx, ctx, draft, links);

  const message = createMessage(draft, ctx.clock.now(), lastId);
  await conversations.setLastMessage(tx, pair.key, message.id);
  if (mediaId !== null) await claimMedia(tx, senderMemberId, mediaId);
  await rows.insertMessage(tx, await encryptMessage(ctx, keyId, message));
  const receiver = receiverOf(message);
  await conversations.upsertInbox(tx, senderMemberId, receiver, message.id);
  const entry = { memberId: receiver, from: senderMemberId, entryId: randomUUID(), kind: "message" } as const;
  if (lastId === null) await ctx.domainEvents.emit(tx, "conversation_begun", { memberId: senderMemberId });
  const hasEntry = draft.isQuiet !== true && (await addEntry(tx, entry));
  return { stored: { message, keyId, isNew: true, previousId: lastId }, hasEntry };
}

/** Creates a missing conversation. `known` has the same `clientId`. */
async function lockConversation(
  tx: Tx,
  ctx: AppContext,
  draft: Draft,
): Promise<{ lastId: string | null; keyId: number; known: rows.MessageRow | undefined }> {
  const { pair, senderMemberId, clientId } = draft;
  if (!(await lockMatch(tx, senderMemberId, receiverOf(draft)))) throw new ApiError("conversation_not_found");
  let locked = await conversations.lockConversation(tx, pair.key);
  if (!locked) {
    await insertConversation(tx, ctx, pair);
    locked = (await conversations.lockConversation(tx, pair.key))!;
  }
  const known =
    clientId === null ? undefined : await rows.findByClientId(tx, pair.key, senderMemberId, clientId);
  return { lastId: locked.last_message_id, keyId: locked.key_id, known };
}

/**
 * Returns the key of a matched pair's conversation, which is created if missing. An image is encrypted before its message
 * is stored.
 */
export async function prepareConversation(
  ctx: AppContext,
  pair: Pair,
  senderMemberId: number,
): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const content = { clientId: null, text: null, mediaId: null, voice: null, replyId: null };
    const draft = { pair, senderMemberId, ...content, keyId: null };
    const { keyId } = await lockConversation(tx, ctx, draft);
    // A deletion finds conversations by their inbox rows, even without a message.
    await conversations.insertEmptyInbox(tx, pair);
    return keyId;
  });
}

/** Keeps an existing conversation with its key. */
async function insertConversation(tx: Tx, { encryption }: AppContext, pair: Pair): Promise<void> {
  const keyId = encryption.keys.create();
  if (await conversations.insertConversation(tx, pair.key, keyId)) await encryption.keys.store(tx, keyId);
  else encryption.keys.forget(keyId);
}
