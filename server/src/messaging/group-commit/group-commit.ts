import type { AppContext } from "../../platform/context.ts";
import { isRolledBack } from "../../platform/db/errors.ts";
import { batched } from "../../platform/lib/batch.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { keyedSemaphore } from "../../platform/lib/semaphore.ts";
import { KeyDestroyedError } from "../../platform/keys/data-keys.ts";
import { findLimitedLinks } from "../link-rate-limit.ts";
import { createMessage, type Draft, type Message } from "../message.ts";
import { writeMessages, type MessageWriter, type Stored } from "../message-writer.ts";
import * as rows from "./group-commit.sql.ts";

/** Keys of conversations that have a message, by pair. */
type ConversationKeys = BoundedCache<string, number>;

/** By pair. A pair that could not advance is missing. */
type Advanced = ReadonlyMap<string, rows.Advanced>;

const BATCH_SIZE_MAX = 32;
const CONCURRENT_BATCHES = 4;
const LOCK_TIMEOUT_MS = 100;

/**
 * Stores messages of different pairs in one transaction. Messages of one pair wait for each other without a connection.
 * `fallback` stores the others alone, so that no message fails because of another one.
 */
export function groupCommitWriter(ctx: AppContext, fallback: MessageWriter): MessageWriter {
  const conversationQueue = keyedSemaphore(1);
  const conversationKeys: ConversationKeys = new BoundedCache();
  const storeInBatch = batched((drafts: readonly Draft[]) => storeBatch(ctx, conversationKeys, drafts), {
    concurrency: CONCURRENT_BATCHES,
    maxSize: BATCH_SIZE_MAX,
  });

  return {
    store: (draft) =>
      conversationQueue(draft.pair.key, async () => {
        const batched = canShareTransaction(ctx, draft) ? await storeInBatch(draft) : null;
        const stored = batched ?? (await fallback.store(draft));
        conversationKeys.set(draft.pair.key, stored.keyId);
        return stored;
      }),
  };
}

/** An image or a limited link needs earlier locks. */
function canShareTransaction(ctx: AppContext, { text, mediaId }: Draft): boolean {
  return mediaId === null && findLimitedLinks(ctx, text).length === 0;
}

/**
 * Returns null for a first or repeated message, and for an id that is not greater than the last one.
 *
 * The match needs no lock: a conversation exists only while its pair is matched.
 */
async function storeBatch(
  ctx: AppContext,
  conversationKeys: ConversationKeys,
  drafts: readonly Draft[],
): Promise<(Stored | null)[]> {
  const createdAt = ctx.clock.now();
  const messages = drafts.map((draft) => createMessage(draft, createdAt, null));
  try {
    const keyed = messages.flatMap((message) => {
      const keyId = conversationKeys.get(message.pair.key);
      return keyId === undefined ? [] : { message, keyId };
    });
    const areAllKeyed = keyed.length === messages.length;
    const advanced =
      (areAllKeyed && (await storeAll(ctx, conversationKeys, keyed))) || (await storeMost(ctx, messages));
    return messages.map((message) => {
      const conversation = advanced.get(message.pair.key);
      return conversation ? { message, isNew: true, ...conversation } : null;
    });
  } catch (error) {
    if (!isRolledBack(error)) throw error;
    ctx.log.warn({ err: error, size: drafts.length }, "group commit failed, storing messages one by one");
    return messages.map(() => null);
  }
}

/** Takes one round trip. Returns null and stores nothing if a conversation cannot advance or has another key. */
async function storeAll(
  ctx: AppContext,
  conversationKeys: ConversationKeys,
  messages: readonly rows.Keyed[],
): Promise<Advanced | null> {
  try {
    const readAdvanced = await ctx.db.transaction().execute(async (tx) => {
      await rows.setLockTimeout(tx, LOCK_TIMEOUT_MS);
      const read = await rows.advanceAllOrFail(tx, messages);
      await writeMessages(tx, ctx, messages);
      return read;
    });
    return await readAdvanced();
  } catch (error) {
    if (error instanceof KeyDestroyedError) {
      const ended = messages.filter(({ keyId }) => keyId === error.keyId);
      for (const { message } of ended) conversationKeys.delete(message.pair.key);
      return null;
    }
    if (!rows.isPartialAdvance(error)) throw error;
    return null;
  }
}

/** Takes two round trips. */
async function storeMost(ctx: AppContext, messages: readonly Message[]): Promise<Advanced> {
  return ctx.db.transaction().execute(async (tx) => {
    await rows.setLockTimeout(tx, LOCK_TIMEOUT_MS);
    const advanced = await rows.advanceConversations(tx, messages);
    const storable = messages.flatMap((message) => {
      const conversation = advanced.get(message.pair.key);
      return conversation ? { message, keyId: conversation.keyId } : [];
    });
    if (storable.length > 0) await writeMessages(tx, ctx, storable);
    return advanced;
  });
}
