import type { Quote } from "@alcove/contract/messaging";
import { QUOTE_MAX } from "@alcove/contract/limits";
import { cut } from "@alcove/contract/text-rules";
import type { AppContext } from "../platform/context.ts";
import type { Person } from "../profiles/index.ts";
import { tryDecryptMessage, type Message } from "./message.ts";
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

/** An unsent message leaves no quote: nothing shows that it existed. */
export function presentQuote(
  { pair, replyId }: Message,
  quotes: Quotes,
  people: ReadonlyMap<number, Person>,
): Quote | null {
  const quoted = replyId === null ? undefined : quotes.get(keyOf(pair, replyId));
  const sender = quoted && people.get(quoted.senderMemberId);
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
