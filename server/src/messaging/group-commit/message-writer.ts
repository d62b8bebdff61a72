import { lockMatchQuery } from "../../discovery/index.ts";
import { claimMedia } from "../../media/index.ts";
import { runPipelined, type Tx } from "../../platform/db/database.ts";
import { isRolledBack } from "../../platform/db/errors.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { batched } from "../../platform/lib/batch.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { ApiError } from "../../platform/errors.ts";
import * as conversations from "../conversations.sql.ts";
import { countLinks, holdForLinks, linksToCount } from "../link-rate-limit.ts";
import { nextMessageId } from "../message-id.ts";
import * as rows from "../messages.sql.ts";
import { otherOf, type Pair } from "../pair.ts";
import { mediaContext, openMessage, textContext, type Message } from "../present.ts";
import { conversationQueue } from "./conversation-queue.ts";

/** A message that is to be stored. */
export interface Draft {
  readonly me: MemberRef;
  readonly friend: MemberRef;
  readonly pair: Pair;
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly clientId: string | null;
}

export interface Stored {
  readonly message: Message;
  /** False when it was stored before, under the same `clientId`. */
  readonly isNew: boolean;
  /** The pair's message before it. */
  readonly after: string | null;
}

/** Stores a message; refuses one to somebody who is not matched. */
export type StoreMessage = (draft: Draft) => Promise<Stored>;

/** Pairs that have had a message: any other, tried with them in one round, would have them all stored in two. */
type Begun = BoundedCache<string, true>;

const GROUP_MAX = 32;
const GROUPS_AT_ONCE = 2;
/** A group waits no longer for a row that somebody else holds: then each of its messages goes by itself. */
const GROUP_PATIENCE_MS = 100;

/**
 * Makes the way by which a process stores messages: those of one pair one after the other, those of several pairs that
 * come at the same time in one transaction. Whatever that cannot do, or fails at, is done alone, so that nobody's message
 * fails because of another's.
 */
export function messageStore(ctx: AppContext): StoreMessage {
  const inTurn = conversationQueue();
  const begun: Begun = new BoundedCache();
  const group = batched((drafts: readonly Draft[]) => storeTogether(ctx, begun, drafts), {
    atOnce: GROUPS_AT_ONCE,
    most: GROUP_MAX,
  });

  return (draft) =>
    inTurn(draft.pair.key, async () => {
      const together = isPlain(ctx, draft) ? await group(draft) : null;
      const stored = together ?? (await ctx.db.transaction().execute((tx) => storeAlone(tx, ctx, draft)));
      begun.set(draft.pair.key, true);
      return stored;
    });
}

/** An image, or a link that may have to be counted, takes locks that come before those of a conversation. */
function isPlain(ctx: AppContext, { text, mediaId }: Draft): boolean {
  return mediaId === null && linksToCount(ctx, text).length === 0;
}

/**
 * Stores messages of different pairs in one transaction; null for each that has to go alone.
 *
 * A pair that has a row is matched, since whoever ends a match removes the row with it, so that to move the row on is all
 * that has to be locked. It is not moved on for what needs more than that: a first message, one that was stored before, or
 * an id that would not be greater than the last one.
 */
async function storeTogether(
  ctx: AppContext,
  begun: Begun,
  drafts: readonly Draft[],
): Promise<(Stored | null)[]> {
  const createdAt = ctx.clock.now();
  const messages = drafts.map((draft) => messageOf(draft, nextMessageId(createdAt, null), createdAt));
  try {
    const haveBegun = messages.every(({ pair }) => begun.get(pair.key));
    const befores = (haveBegun && (await storeAll(ctx, messages))) || (await storeMovable(ctx, messages));
    return messages.map((message) => {
      const after = befores.get(message.pair.key);
      return after === undefined ? null : { message, isNew: true, after };
    });
  } catch (error) {
    if (!isRolledBack(error)) throw error;
    ctx.log.warn({ err: error }, "messages that came together are stored one by one");
    return messages.map(() => null);
  }
}

/** Stores all of the messages in one round; or none, and answers null, if the pair of one cannot be moved on. */
async function storeAll(ctx: AppContext, messages: readonly Message[]): Promise<Map<string, string> | null> {
  try {
    const readBefores = await ctx.db.transaction().execute(async (tx) => {
      await conversations.waitAtMost(tx, GROUP_PATIENCE_MS);
      const reading = await conversations.moveAllOn(tx, messages);
      await write(tx, ctx, messages);
      return reading;
    });
    return await readBefores();
  } catch (error) {
    if (!conversations.isNotAll(error)) throw error;
    return null;
  }
}

/** Stores those of the messages whose pairs can be moved on; answers by pair which message came before. */
async function storeMovable(ctx: AppContext, messages: readonly Message[]): Promise<Map<string, string>> {
  return ctx.db.transaction().execute(async (tx) => {
    await conversations.waitAtMost(tx, GROUP_PATIENCE_MS);
    const befores = await conversations.moveOn(tx, messages);
    const stored = messages.filter(({ pair }) => befores.has(pair.key));
    if (stored.length > 0) await write(tx, ctx, stored);
    return befores;
  });
}

/**
 * Stores a message in a transaction of its own.
 *
 * The match is held first (before it only a new member that sends a link), so that whoever ends it (a block, a deletion)
 * either comes before and is obeyed, or comes after and removes this message too. Then the pair's row is locked: ids
 * grow in the order of the commits.
 */
async function storeAlone(tx: Tx, ctx: AppContext, draft: Draft): Promise<Stored> {
  const { me, friend, pair, text, mediaId } = draft;
  const braked = await holdForLinks(tx, ctx, me, text);
  const { after, known } = await takeConversation(tx, draft);
  if (known) return { message: openMessage(ctx, pair, known), isNew: false, after };
  if (braked) await countLinks(tx, ctx, me, friend, pair, braked);

  const createdAt = ctx.clock.now();
  const message = messageOf(draft, nextMessageId(createdAt, after), createdAt);
  await conversations.setLastMessage(tx, pair.key, message.id);
  if (mediaId !== null) await claimMedia(tx, me.memberId, mediaId);
  await write(tx, ctx, [message]);
  return { message, isNew: true, after };
}

/** Holds the match and then the pair's row, which the first message makes; looks for the message once the pair is ours. */
async function takeConversation(
  tx: Tx,
  { me, friend, pair, clientId }: Draft,
): Promise<{ after: string | null; known: rows.MessageRow | undefined }> {
  const take = () =>
    runPipelined(tx, [
      lockMatchQuery(tx, me.memberId, friend.memberId),
      conversations.lockConversationQuery(tx, pair.key),
      rows.byClientIdQuery(tx, pair.key, me.memberId, clientId),
    ]);
  let [edges, taken, known] = await take();
  if (edges.length === 0) throw new ApiError("conversation_not_found");
  if (taken.length === 0) {
    await conversations.insertConversation(tx, pair.key);
    [edges, taken, known] = await take();
  }
  return { after: taken[0]?.last_message_id ?? null, known: known[0] };
}

function messageOf({ me, pair, clientId, text, mediaId }: Draft, id: string, createdAt: Date): Message {
  return { pair, id, senderMemberId: me.memberId, clientId, text, mediaId, createdAt, isUnsent: false };
}

/** Writes messages whose pairs are ours, and what follows from them; all of it goes out with the commit. */
async function write(tx: Tx, ctx: AppContext, messages: readonly Message[]): Promise<void> {
  const { encryption } = ctx;
  await rows.insertMessages(
    tx,
    messages.map(({ pair, id, senderMemberId, clientId, text, mediaId, createdAt }) => ({
      pair: pair.key,
      message_id: id,
      sender_no: senderMemberId,
      client_id: clientId,
      encrypted_text: text === null ? null : encryption.encrypt(text, textContext(pair, id)),
      encrypted_media: mediaId === null ? null : encryption.encrypt(mediaId, mediaContext(pair, id)),
      created_at: createdAt,
    })),
  );
  await conversations.upsertInbox(
    tx,
    messages.flatMap(({ pair, senderMemberId, id }) => {
      const receiverMemberId = otherOf(pair, senderMemberId);
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
  const to = messages.map(({ pair, senderMemberId }) => otherOf(pair, senderMemberId));
  await ctx.domainEvents.follow(tx, "messages_stored", { to });
}
