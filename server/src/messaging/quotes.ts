import type { Quote } from "@alcove/contract/messaging";
import { QUOTE_MAX } from "@alcove/contract/limits";
import { cut } from "@alcove/contract/text-rules";
import type { AppContext } from "../platform/context.ts";
import { noteIdOf, openNoteId, type Person, readableNotes } from "../profiles/index.ts";
import { receiverOf, tryDecryptMessage, type Message } from "./message.ts";
import { messagesByIds } from "./messages.sql.ts";
import type { Pair } from "./pair.ts";

/** Keyed by pair and id; leaves out unsent messages. */
export type Quotes = ReadonlyMap<string, Message>;

export const NO_QUOTES: Quotes = new Map();

export function quotesOf(messages: readonly Message[]): Quotes {
  const quotable = messages.filter(({ isUnsent }) => !isUnsent);
  return new Map(quotable.map((message) => [keyOf(message.pair, message.id), message]));
}

export async function loadQuotes(ctx: AppContext, messages: readonly Message[]): Promise<Quotes> {
  const quoted = messages.flatMap(({ pair, replyId }) => (replyId === null ? [] : { pair, id: replyId }));
  if (quoted.length === 0) return NO_QUOTES;
  const known = quotesOf(messages);
  const missing = quoted.filter(({ pair, id }) => !known.has(keyOf(pair, id)));
  return new Map([...known, ...(await readQuotes(ctx, missing))]);
}

/** Returns null for a missing or unsent message. */
export async function findQuotable(ctx: AppContext, pair: Pair, id: string): Promise<Message | null> {
  const [message] = (await readQuotes(ctx, [{ pair, id }])).values();
  return message ?? null;
}

/** The stored id of a note of the receiver. Null for a missing one, and one that the sender may not read. */
export function findQuotableNote(
  ctx: AppContext,
  author: Person | undefined,
  postId: string | null | undefined,
): string | null {
  const named = postId ? openNoteId(ctx, postId) : null;
  if (!author || named?.memberId !== author.memberId) return null;
  return noteOf(ctx, author, named.noteId)?.id ?? null;
}

const noteOf = (ctx: AppContext, author: Person, noteId: string) =>
  readableNotes(ctx, author.notes, "match").find(({ id }) => id === noteId);

/** An unsent message and a note that is gone leave no quote: nothing shows that they existed. */
export function presentQuote(
  ctx: AppContext,
  message: Message,
  quotes: Quotes,
  people: ReadonlyMap<number, Person>,
): Quote | null {
  const { pair, replyId } = message;
  if (replyId === null) return null;
  const quoted = quotes.get(keyOf(pair, replyId));
  if (!quoted) return presentNote(ctx, people.get(receiverOf(message)), replyId);
  const sender = people.get(quoted.senderMemberId);
  if (!sender) return null;
  const { id, text, mediaId, voice } = quoted;
  return {
    id,
    sender_id: sender.userId,
    description: text === null ? null : cut(text, QUOTE_MAX),
    has_image: mediaId !== null && voice === null,
    ...(voice && { has_voice: true as const }),
  };
}

function presentNote(ctx: AppContext, author: Person | undefined, noteId: string): Quote | null {
  const note = author && noteOf(ctx, author, noteId);
  if (!note) return null;
  return {
    id: noteIdOf(ctx, author.memberId, note),
    sender_id: author.userId,
    description: cut(note.text, QUOTE_MAX),
    has_image: false,
    is_note: true,
  };
}

async function readQuotes(ctx: AppContext, quoted: readonly { pair: Pair; id: string }[]): Promise<Quotes> {
  const pairs = new Map(quoted.map(({ pair }) => [pair.key, pair]));
  const ids = quoted.map(({ id }) => id);
  const rows = await messagesByIds(ctx.db, [...pairs.keys()], ids);
  const messages = await Promise.all(rows.map((row) => tryDecryptMessage(ctx, pairs.get(row.pair)!, row)));
  return quotesOf(messages.filter((message) => message !== null));
}

function keyOf(pair: Pair, id: string): string {
  return `${pair.key} ${id}`;
}
