import type { WebSocket } from "ws";
import type { AnswerOf, ParsedOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { Dm, getDms, sendDm } from "@alcove/contract/messaging";
import { forgetMedia, keepMessageImage } from "../media/index.ts";
import type { Deps, Me, MemberRef } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import * as conversations from "./conversations.sql.ts";
import { findFriend, type Receiver } from "./receivers.ts";
import { HERE } from "./group-commit/event-reorder.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { openMessage, presentDm, type Message } from "./present.ts";
import { showEachOther } from "./read-receipt-setting.ts";
import type { Draft, Stored, StoreMessage } from "./group-commit/message-writer.ts";

/**
 * Sends a message to a match. The same `clientId` from the same sender answers the message already stored. `over` is the
 * socket that gets the answer, if one does.
 */
export async function sendMessage(
  deps: Deps,
  store: StoreMessage,
  me: Me,
  {
    form,
    receiver: { friend, people },
    over,
  }: { form: ParsedOf<typeof sendDm>; receiver: Receiver; over: WebSocket | null },
): Promise<Dm> {
  const text = form.description ?? null;
  // A text alone learns from its transaction whether the two are matched; nothing else is begun without.
  if (text === null || form.file) await findFriend(deps, me, form.receiverId);
  if (text === null && !form.file) throw refuse("empty_message");

  const pair = pairOf(me.no, friend.no);
  const mediaId = form.file ? (await keepMessageImage(deps, me.no, form.file)).mediaId : null;
  const clientId = form.clientId?.toLowerCase() ?? null;
  const stored = await keepImageOnlyIfStored(deps, { me, friend, pair, text, mediaId, clientId }, store);
  // After the commit: nobody hears of what was rolled back. Told again when it is sent again, since the process that
  // stored it may have died before it told.
  const after = stored.isNew ? stored.after : null;
  const { message } = stored;
  deps.live.tell("dm", {
    low: pair.low,
    high: pair.high,
    id: message.id,
    after,
    [HERE]: { message, people, over },
  });

  const dm = presentDm(deps, me, message, people);
  if (!dm) throw refuse("conversation_not_found");
  return dm;
}

/**
 * A page of messages with a match, oldest first: the newest, those before `lastId`, or those after `afterId`.
 *
 * Which were taken back is read before the page: what goes in between is told of next time, and never missed. A fetch
 * says nothing of reading: nobody may be looking.
 */
export async function readMessages(
  deps: Deps,
  me: Me,
  { friendId, lastId = null, afterId = null, unsentAfter = null }: ParsedOf<typeof getDms>,
): Promise<AnswerOf<typeof getDms>> {
  const friend = await findFriend(deps, me, friendId);
  const pair = pairOf(me.no, friend.no);
  const unsent = await unsentSince(deps, pair, unsentAfter ?? null);
  const found =
    afterId === null
      ? await rows.newestMessages(deps.db, pair.key, lastId, MESSAGES_PER_PAGE + 1)
      : await rows.messagesAfter(deps.db, pair.key, afterId, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  if (afterId === null) page.reverse();

  const [people, friends, isReadingShown] = await Promise.all([
    loadPeople(deps, [me.no, friend.no]),
    conversations.readInbox(deps.db, friend.no, me.no),
    showEachOther(deps.db, me.no, friend.no),
  ]);
  const dms = page.flatMap((row) => presentDm(deps, me, openMessage(deps, pair, row), people) ?? []);
  return {
    dms,
    has_more: found.length > MESSAGES_PER_PAGE || unsent.hasMore,
    read_id: isReadingShown ? (friends?.read_id ?? null) : null,
    unsent: unsent.ids,
    unsent_no: unsent.no,
  };
}

/** What was taken back since the member has last asked, and up to which number. */
async function unsentSince(
  { db }: Deps,
  pair: Pair,
  after: number | null,
): Promise<{ ids: string[]; no: number; hasMore: boolean }> {
  if (after === null) {
    return { ids: [], no: await conversations.countUnsent(db, pair.key), hasMore: false };
  }
  const found = await rows.unsentAfter(db, pair.key, after, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  return {
    ids: page.map(({ message_id }) => message_id),
    no: page.at(-1)?.unsent_no ?? after,
    hasMore: found.length > MESSAGES_PER_PAGE,
  };
}

/** A message by its id, of one member to another; null when there is none such, or it was taken back. */
export async function findMessageFrom(
  deps: Deps,
  from: MemberRef,
  to: MemberRef,
  id: string,
): Promise<Message | null> {
  const pair = pairOf(from.no, to.no);
  const [row] = await rows.messagesByIds(deps.db, [pair.key], [id]);
  return row?.sender_no === from.no && row.unsent_no === null ? openMessage(deps, pair, row) : null;
}

/** An image is forgotten again when its message was refused, or had been stored before with an image of its own. */
async function keepImageOnlyIfStored(deps: Deps, draft: Draft, store: StoreMessage): Promise<Stored> {
  const { me, mediaId } = draft;
  let isInUse = false;
  try {
    const stored = await store(draft);
    isInUse = stored.isNew;
    return stored;
  } finally {
    if (mediaId !== null && !isInUse) await forgetMedia(deps, me.no, mediaId);
  }
}
