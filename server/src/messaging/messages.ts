import type { WebSocket } from "ws";
import type { ResponseOf, ParsedOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { Dm, getDms, sendDm } from "@alcove/contract/messaging";
import { forgetMedia, keepMessageImage } from "../media/index.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
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
  ctx: AppContext,
  store: StoreMessage,
  me: CurrentMember,
  {
    form,
    receiver: { friend, people },
    over,
  }: { form: ParsedOf<typeof sendDm>; receiver: Receiver; over: WebSocket | null },
): Promise<Dm> {
  const text = form.description ?? null;
  // A text alone learns from its transaction whether the two are matched; nothing else is begun without.
  if (text === null || form.file) await findFriend(ctx, me, form.receiverId);
  if (text === null && !form.file) throw new ApiError("empty_message");

  const pair = pairOf(me.memberId, friend.memberId);
  const mediaId = form.file ? (await keepMessageImage(ctx, me.memberId, form.file)).mediaId : null;
  const clientId = form.clientId?.toLowerCase() ?? null;
  const stored = await keepImageOnlyIfStored(ctx, { me, friend, pair, text, mediaId, clientId }, store);
  // After the commit: nobody hears of what was rolled back. Told again when it is sent again, since the process that
  // stored it may have died before it told.
  const after = stored.isNew ? stored.after : null;
  const { message } = stored;
  ctx.eventBus.publish("dm", {
    low: pair.low,
    high: pair.high,
    id: message.id,
    after,
    [HERE]: { message, people, over },
  });

  const dm = presentDm(ctx, me, message, people);
  if (!dm) throw new ApiError("conversation_not_found");
  return dm;
}

/**
 * A page of messages with a match, oldest first: the newest, those before `lastId`, or those after `afterId`.
 *
 * Which were taken back is read before the page: what goes in between is told of next time, and never missed. A fetch
 * says nothing of reading: nobody may be looking.
 */
export async function readMessages(
  ctx: AppContext,
  me: CurrentMember,
  { friendId, lastId = null, afterId = null, unsentAfter = null }: ParsedOf<typeof getDms>,
): Promise<ResponseOf<typeof getDms>> {
  const friend = await findFriend(ctx, me, friendId);
  const pair = pairOf(me.memberId, friend.memberId);
  const unsent = await unsentSince(ctx, pair, unsentAfter ?? null);
  const found =
    afterId === null
      ? await rows.newestMessages(ctx.db, pair.key, lastId, MESSAGES_PER_PAGE + 1)
      : await rows.messagesAfter(ctx.db, pair.key, afterId, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  if (afterId === null) page.reverse();

  const [people, friends, isReadingShown] = await Promise.all([
    loadPeople(ctx, [me.memberId, friend.memberId]),
    conversations.readInbox(ctx.db, friend.memberId, me.memberId),
    showEachOther(ctx.db, me.memberId, friend.memberId),
  ]);
  const dms = page.flatMap((row) => presentDm(ctx, me, openMessage(ctx, pair, row), people) ?? []);
  return {
    dms,
    has_more: found.length > MESSAGES_PER_PAGE || unsent.hasMore,
    read_id: isReadingShown ? (friends?.read_id ?? null) : null,
    unsent: unsent.ids,
    unsent_no: unsent.memberId,
  };
}

/** What was taken back since the member has last asked, and up to which number. */
async function unsentSince(
  { db }: AppContext,
  pair: Pair,
  after: number | null,
): Promise<{ ids: string[]; memberId: number; hasMore: boolean }> {
  if (after === null) {
    return { ids: [], memberId: await conversations.countUnsent(db, pair.key), hasMore: false };
  }
  const found = await rows.unsentAfter(db, pair.key, after, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  return {
    ids: page.map(({ message_id }) => message_id),
    memberId: page.at(-1)?.unsent_no ?? after,
    hasMore: found.length > MESSAGES_PER_PAGE,
  };
}

/** A message by its id, of one member to another; null when there is none such, or it was taken back. */
export async function findMessageFrom(
  ctx: AppContext,
  from: MemberRef,
  to: MemberRef,
  id: string,
): Promise<Message | null> {
  const pair = pairOf(from.memberId, to.memberId);
  const [row] = await rows.messagesByIds(ctx.db, [pair.key], [id]);
  return row?.sender_no === from.memberId && row.unsent_no === null ? openMessage(ctx, pair, row) : null;
}

/** An image is forgotten again when its message was refused, or had been stored before with an image of its own. */
async function keepImageOnlyIfStored(ctx: AppContext, draft: Draft, store: StoreMessage): Promise<Stored> {
  const { me, mediaId } = draft;
  let isInUse = false;
  try {
    const stored = await store(draft);
    isInUse = stored.isNew;
    return stored;
  } finally {
    if (mediaId !== null && !isInUse) await forgetMedia(ctx, me.memberId, mediaId);
  }
}
