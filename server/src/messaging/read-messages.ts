import type { ParsedOf, ResponseOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE, RESTING_DAYS } from "@alcove/contract/limits";
import type { getDms } from "@alcove/contract/messaging";
import { areMatched, markMatchOpened } from "../discovery/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { decryptMessage } from "./message.ts";
import { presentReactions } from "./message-reactions.ts";
import * as rows from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { createPresenter } from "./present.ts";
import { loadQuotes } from "./quotes.ts";
import { showReadReceiptsToEachOther } from "./read-receipt-setting.ts";
import { findReceiver } from "./find-matched-member.ts";
import { listUnsentFrom } from "./unsent-messages.ts";

type Input = ParsedOf<typeof getDms>;

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
  const changes = read.changes.slice(0, MESSAGES_PER_PAGE);

  if (!input.lastId && !input.afterId) await wake(ctx, me.memberId, other.memberId);
  const messages = await Promise.all(page.map((row) => decryptMessage(ctx, pair, row)));
  const reactedRows = changes.filter(({ reacted_no }) => reacted_no !== null);
  const reacted = await Promise.all(reactedRows.map((row) => decryptMessage(ctx, pair, row)));
  const present = createPresenter(ctx, me, people, await loadQuotes(ctx, messages));
  return {
    dms: messages.flatMap((message) => present(message) ?? []),
    has_more: read.messages.length > MESSAGES_PER_PAGE || read.changes.length > MESSAGES_PER_PAGE,
    read_id: read.readId,
    unsent: changes.flatMap(({ message_id, unsent_no }) => (unsent_no === null ? [] : message_id)),
    reacted: reacted.map(({ id, reactions }) => ({
      id,
      reactions: presentReactions(reactions, me.memberId),
    })),
    unsent_no: changes.at(-1)?.change_no ?? read.changeNo,
    taken_back: read.takenBack,
  };
}

/** A resting match wakes for the member who opens it. */
async function wake({ db, clock }: AppContext, memberId: number, otherMemberId: number): Promise<void> {
  const now = clock.now();
  const restsSince = utcDay(new Date(now.getTime() - RESTING_DAYS * DAY_MS));
  await markMatchOpened(db, memberId, otherMemberId, { day: utcDay(now), restsSince });
}

/**
 * Reads changes before the page: a message that is unsent or reacted to in between is in the next response. The match is read
 * last, so that no page follows a block.
 */
async function readPage(
  ctx: AppContext,
  memberId: number,
  otherMemberId: number,
  { lastId, afterId, unsentAfter }: Input,
) {
  const { db } = ctx;
  const pair = pairOf(memberId, otherMemberId);
  const { key } = pair;
  const limit = MESSAGES_PER_PAGE + 1;
  const readPageOfMessages = async () => {
    if (afterId) return rows.messagesAfter(db, key, afterId, limit);
    return lastId ? rows.messagesBefore(db, key, lastId, limit) : rows.newestMessages(db, key, limit);
  };
  const isFollowing = typeof unsentAfter === "number";
  const changeNo = isFollowing ? unsentAfter : ((await conversations.readChangeNo(db, key)) ?? 0);
  const changes = isFollowing ? await rows.changedAfter(db, key, unsentAfter, limit) : [];
  const [messages, readId, showsReceipts, takenBack] = await Promise.all([
    readPageOfMessages(),
    conversations.findReadId(db, otherMemberId, memberId),
    showReadReceiptsToEachOther(db, memberId, otherMemberId),
    listUnsentFrom(ctx, otherMemberId, pair),
  ]);
  if (!(await areMatched(db, memberId, otherMemberId))) throw new ApiError("conversation_not_found");
  return { messages, changes, changeNo, takenBack, readId: showsReceipts ? readId : null };
}
