import { randomUUID } from "node:crypto";
import { notifySoon } from "../notifications/index.ts";
import type { AppContext } from "../platform/context.ts";
import { isUniqueViolation } from "../platform/db/errors.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import { keyedSemaphore } from "../platform/lib/semaphore.ts";
import { findLimitedLinks } from "./link-rate-limit.ts";
import { createMessage, encryptMessage, receiverOf, type Draft, type Stored } from "./message.ts";
import { insertNext } from "./messages.sql.ts";
import { storeInTransaction } from "./plain-message-writer.ts";

export interface MessageWriter {
  /** @throws conversation_not_found without a match */
  store(draft: Draft): Promise<Stored>;
}

interface Conversation {
  readonly keyId: number;
  readonly lastId: string;
}

/** Messages of one pair wait for each other without a connection. */
export function createMessageWriter(ctx: AppContext): MessageWriter {
  const pairQueue = keyedSemaphore(1);
  /** Conversations with a message, by pair. */
  const conversations = new BoundedCache<string, Conversation>();

  const store = async (draft: Draft) => {
    const { key } = draft.pair;
    const conversation = conversations.get(key);
    const next = conversation && isPlain(ctx, draft) ? await storeNext(ctx, draft, conversation) : null;
    if (!next) conversations.delete(key);
    const stored = next ?? (await storeInTransaction(ctx, draft));
    conversations.set(key, { keyId: stored.keyId, lastId: stored.message.id });
    return stored;
  };
  return { store: (draft) => pairQueue(draft.pair.key, () => store(draft)) };
}

/** An image or a limited link needs earlier locks. A cluster rejects the statement, because it touches two shards. */
function isPlain(ctx: AppContext, { text, mediaId }: Draft): boolean {
  return !ctx.isCluster && mediaId === null && findLimitedLinks(ctx, text).length === 0;
}

/**
 * Takes one statement. Returns null for a repeated message, for one whose id is not greater than the last one, and without
 * a conversation.
 *
 * The match needs no lock: a conversation exists only while its pair is matched.
 */
async function storeNext(
  ctx: AppContext,
  draft: Draft,
  { keyId, lastId }: Conversation,
): Promise<Stored | null> {
  const message = createMessage(draft, ctx.clock.now(), lastId);
  try {
    const encrypted = await encryptMessage(ctx, keyId, message);
    const entryId = randomUUID();
    const to = { receiver: receiverOf(draft), keyId, entryId, isQuiet: draft.isQuiet === true };
    const inserted = await insertNext(ctx.db, encrypted, to);
    if (!inserted) return null;
    if (inserted.hasEntry) notifySoon(ctx);
    return { message, keyId, isNew: true, previousId: inserted.previousId };
  } catch (error) {
    // The conversation has ended, or another process stores the same `clientId`.
    if (error instanceof KeyDestroyedError || isUniqueViolation(error)) return null;
    throw error;
  }
}
