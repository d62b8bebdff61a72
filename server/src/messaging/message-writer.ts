import { lockMatchQuery } from "../discovery/index.ts";
import { claimMedia } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import { runPipelined, type Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { limitLinks, lockForLinkLimit } from "./link-rate-limit.ts";
import {
  createMessage,
  decryptMessage,
  encryptMessage,
  receiverOf,
  type Draft,
  type Message,
} from "./message.ts";
import * as rows from "./messages.sql.ts";
import type { Pair } from "./pair.ts";

export interface Stored {
  readonly message: Message;
  /** The conversation's key. */
  readonly keyId: number;
  /** False for a repeated `clientId`. */
  readonly isNew: boolean;
  readonly previousId: string | null;
}

export interface MessageWriter {
  /** Throws `conversation_not_found` without a match. */
  store(draft: Draft): Promise<Stored>;
}

/** Stores each message in its own transaction. */
export function plainMessageWriter(ctx: AppContext): MessageWriter {
  return { store: (draft) => ctx.db.transaction().execute((tx) => storeMessage(tx, ctx, draft)) };
}

/**
 * Locks a new sender of links, the match and the conversation, in this order.
 *
 * A block or deletion either precedes this message and prevents it, or waits and deletes it. The lock on the conversation
 * makes ids grow in commit order.
 */
async function storeMessage(tx: Tx, ctx: AppContext, draft: Draft): Promise<Stored> {
  const { pair, senderMemberId, mediaId } = draft;
  const links = await lockForLinkLimit(tx, ctx, draft);
  const { lastId, keyId, known } = await lockConversation(tx, ctx, draft);
  if (known)
    return { message: await decryptMessage(ctx, pair, known), keyId, isNew: false, previousId: null };
  // Another conversation of the pair has ended since the image was encrypted.
  if (mediaId !== null && draft.keyId !== keyId) throw new ApiError("conversation_not_found");
  if (links.length > 0) await limitLinks(tx, ctx, draft, links);

  const message = createMessage(draft, ctx.clock.now(), lastId);
  await conversations.setLastMessage(tx, pair.key, message.id);
  if (mediaId !== null) await claimMedia(tx, senderMemberId, mediaId);
  await writeMessages(tx, ctx, [{ message, keyId }]);
  return { message, keyId, isNew: true, previousId: lastId };
}

/** Creates a missing conversation. `known` has the same `clientId`. */
async function lockConversation(
  tx: Tx,
  ctx: AppContext,
  draft: Draft,
): Promise<{ lastId: string | null; keyId: number; known: rows.MessageRow | undefined }> {
  const { pair, senderMemberId, clientId } = draft;
  const lockAndRead = () =>
    runPipelined(tx, [
      lockMatchQuery(tx, senderMemberId, receiverOf(draft)),
      conversations.lockConversationQuery(tx, pair.key),
      rows.findByClientIdQuery(tx, pair.key, senderMemberId, clientId),
    ]);
  let [matches, locked, known] = await lockAndRead();
  if (matches.length === 0) throw new ApiError("conversation_not_found");
  if (locked.length === 0) {
    await insertConversation(tx, ctx, pair);
    [matches, locked, known] = await lockAndRead();
  }
  const { last_message_id: lastId, key_id: keyId } = locked[0]!;
  return { lastId, keyId, known: known[0] };
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
    const content = { clientId: null, text: null, mediaId: null, replyId: null };
    const draft = { pair, senderMemberId, ...content, keyId: null };
    const { keyId } = await lockConversation(tx, ctx, draft);
    // A deletion finds conversations by their inbox rows, also if no message follows.
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

/** NOTE: the conversations must be locked. The statements run with the commit. */
export async function writeMessages(
  tx: Tx,
  ctx: AppContext,
  keyed: readonly { message: Message; keyId: number }[],
): Promise<void> {
  const messages = keyed.map(({ message }) => message);
  const encrypted = keyed.map(({ message, keyId }) => encryptMessage(ctx, keyId, message));
  await rows.insertMessages(tx, await Promise.all(encrypted));
  await conversations.upsertInbox(
    tx,
    messages.flatMap((message) => {
      const { id, senderMemberId } = message;
      const receiverMemberId = receiverOf(message);
      return [
        {
          member_no: senderMemberId,
          other_no: receiverMemberId,
          last_message_id: id,
          last_received_id: null,
        },
        { member_no: receiverMemberId, other_no: senderMemberId, last_message_id: id, last_received_id: id },
      ];
    }),
  );
  await ctx.domainEvents.emit(tx, "messages_stored", {
    messages: messages.map((message) => ({ from: message.senderMemberId, to: receiverOf(message) })),
  });
}
