import type { CompiledQuery } from "kysely";
import type { ParsedOf, ResponseOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { getDms } from "@alcove/contract/messaging";
import { matchQuery } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { runPipelined } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { decryptMessage } from "./message.ts";
import * as rows from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { createPresenter } from "./present.ts";
import { loadQuotes } from "./quotes.ts";
import { optOutQuery } from "./read-receipt-setting.sql.ts";
import { findReceiver } from "./receivers.ts";

type Input = ParsedOf<typeof getDms>;

/** An unsent message, or the number of the latest one alone. */
interface UnsentRow {
  readonly message_id?: string;
  readonly unsent_no: number | null;
}

export async function readMessages(
  ctx: AppContext,
  me: CurrentMember,
  input: Input,
): Promise<ResponseOf<typeof getDms>> {
  const { other, people } = await findReceiver(ctx, me, input.friendId);
  const pair = pairOf(me.memberId, other.memberId);
  const read = await readPage(ctx, me.memberId, other.memberId, input);
  const page = read.messages.slice(0, MESSAGES_PER_PAGE);
  if (!input.afterId) page.reverse();
  const unsent = read.unsent.slice(0, MESSAGES_PER_PAGE);

  const messages = await Promise.all(page.map((row) => decryptMessage(ctx, pair, row)));
  const present = createPresenter(ctx, me, people, await loadQuotes(ctx, messages));
  return {
    dms: messages.flatMap((message) => present(message) ?? []),
    has_more: read.messages.length > MESSAGES_PER_PAGE || read.unsent.length > MESSAGES_PER_PAGE,
    read_id: read.readId,
    unsent: unsent.flatMap(({ message_id }) => message_id ?? []),
    unsent_no: unsent.at(-1)?.unsent_no ?? input.unsentAfter ?? 0,
  };
}

/**
 * Takes one round trip. Reads unsent messages before the page: one that is unsent in between is in the next
 * response.
 */
async function readPage(
  { db }: AppContext,
  memberId: number,
  otherMemberId: number,
  { lastId, afterId, unsentAfter }: Input,
) {
  const { key } = pairOf(memberId, otherMemberId);
  const limit = MESSAGES_PER_PAGE + 1;
  const messagesQuery = () => {
    if (afterId) return rows.messagesAfterQuery(db, key, afterId, limit);
    return lastId
      ? rows.messagesBeforeQuery(db, key, lastId, limit)
      : rows.newestMessagesQuery(db, key, limit);
  };
  const unsentQuery = (): CompiledQuery<UnsentRow> =>
    typeof unsentAfter === "number"
      ? rows.unsentAfterQuery(db, key, unsentAfter, limit)
      : conversations.unsentNoQuery(db, key);
  const [matches, unsent, messages, [inbox], ownOptOut, othersOptOut] = await runPipelined(db, [
    matchQuery(db, memberId, otherMemberId),
    unsentQuery(),
    messagesQuery(),
    conversations.inboxRowQuery(db, otherMemberId, memberId),
    optOutQuery(db, memberId),
    optOutQuery(db, otherMemberId),
  ] as const);
  if (matches.length === 0) throw new ApiError("conversation_not_found");
  return {
    messages,
    unsent,
    readId: [...ownOptOut, ...othersOptOut].length === 0 ? (inbox?.read_id ?? null) : null,
  };
}
