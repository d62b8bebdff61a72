import type { ParsedOf, ResponseOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { getDms } from "@alcove/contract/messaging";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { loadPeople } from "../profiles/index.ts";
import * as conversations from "./conversations.sql.ts";
import { decryptMessage } from "./message.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { presentDm } from "./present.ts";
import { loadQuotes } from "./quotes.ts";
import { showReadReceiptsToEachOther } from "./read-receipt-setting.ts";
import { findMatchedMember } from "./receivers.ts";

/** Reads unsent messages before the page: one that is unsent in between is in the next response. */
export async function readMessages(
  ctx: AppContext,
  me: CurrentMember,
  { friendId, lastId = null, afterId = null, unsentAfter = null }: ParsedOf<typeof getDms>,
): Promise<ResponseOf<typeof getDms>> {
  const other = await findMatchedMember(ctx, me, friendId);
  const pair = pairOf(me.memberId, other.memberId);
  const unsent = await readUnsent(ctx, pair, unsentAfter ?? null);
  const found =
    afterId === null
      ? await rows.newestMessages(ctx.db, pair.key, lastId, MESSAGES_PER_PAGE + 1)
      : await rows.messagesAfter(ctx.db, pair.key, afterId, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  if (afterId === null) page.reverse();

  const [people, othersInbox, isReadingShown] = await Promise.all([
    loadPeople(ctx, [me.memberId, other.memberId]),
    conversations.readInboxRow(ctx.db, other.memberId, me.memberId),
    showReadReceiptsToEachOther(ctx.db, me.memberId, other.memberId),
  ]);
  const messages = await Promise.all(page.map((row) => decryptMessage(ctx, pair, row)));
  const quotes = await loadQuotes(ctx, messages);
  const dms = messages.flatMap((message) => presentDm(ctx, me, message, people, quotes) ?? []);
  return {
    dms,
    has_more: found.length > MESSAGES_PER_PAGE || unsent.hasMore,
    read_id: isReadingShown ? (othersInbox?.read_id ?? null) : null,
    unsent: unsent.ids,
    unsent_no: unsent.upTo,
  };
}

async function readUnsent(
  { db }: AppContext,
  pair: Pair,
  after: number | null,
): Promise<{ ids: string[]; upTo: number; hasMore: boolean }> {
  if (after === null) {
    return { ids: [], upTo: await conversations.readUnsentNo(db, pair.key), hasMore: false };
  }
  const found = await rows.unsentAfter(db, pair.key, after, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  return {
    ids: page.map(({ message_id }) => message_id),
    upTo: page.at(-1)?.unsent_no ?? after,
    hasMore: found.length > MESSAGES_PER_PAGE,
  };
}
