import type { AnswerOf, ParsedOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { Dm, getDms, sendDm } from "@alcove/contract/messaging";
import { claimMedia, forgetMedia, keepMessageImage } from "../media/index.ts";
import { runTogether, type Tx } from "../platform/database.ts";
import type { Deps, Me, MemberRef } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";
import { loadPeople } from "../profiles/index.ts";
import * as conversations from "./conversations.sql.ts";
import { findFriend, findReceiver } from "./friend.ts";
import { HERE } from "./hint-order.ts";
import { countLinks, holdForLinks } from "./link-brake.ts";
import { nextMessageId } from "./message-id.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { mediaContext, openMessage, presentDm, textContext, type Message } from "./present.ts";
import { showEachOther } from "./showing.ts";
import type { InTurn } from "./turns.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A message to a member is being stored. */
    message_stored: { to: number };
  }
}

interface Draft {
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly clientId: string | null;
}

interface Stored {
  readonly message: Message;
  readonly isNew: boolean;
  /** The pair's message before it. */
  readonly after: string | null;
}

/** Sends a message to a match. The same `clientId` from the same sender answers the message already stored. */
export async function sendMessage(
  deps: Deps,
  inTurn: InTurn,
  me: Me,
  form: ParsedOf<typeof sendDm>,
): Promise<Dm> {
  const text = form.description ?? null;
  const { friend, people } = await findReceiver(deps, me, form.receiverId);
  // A text alone learns from its transaction whether the two are matched; nothing else is begun without.
  if (text === null || form.file) await findFriend(deps, me, form.receiverId);
  if (text === null && !form.file) throw refuse("empty_message");

  const pair = pairOf(me.no, friend.no);
  const mediaId = form.file ? (await keepMessageImage(deps, me.no, form.file)).mediaId : null;
  const draft = { text, mediaId, clientId: form.clientId?.toLowerCase() ?? null };
  const stored = await keepImageOnlyIfStored(deps, me, mediaId, () =>
    inTurn(pair.key, () =>
      deps.db.transaction().execute((tx) => storeInOrder(tx, deps, me, friend, pair, draft)),
    ),
  );
  // After the commit: nobody hears of what was rolled back. Told again when it is sent again, since the process that
  // stored it may have died before it told.
  const after = stored.isNew ? stored.after : null;
  const { message } = stored;
  deps.live.tell("dm", {
    low: pair.low,
    high: pair.high,
    id: message.id,
    after,
    [HERE]: { message, people },
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
async function keepImageOnlyIfStored(
  deps: Deps,
  me: MemberRef,
  mediaId: string | null,
  store: () => Promise<Stored>,
): Promise<Stored> {
  let isInUse = false;
  try {
    const stored = await store();
    isInUse = stored.isNew;
    return stored;
  } finally {
    if (mediaId !== null && !isInUse) await forgetMedia(deps, me.no, mediaId);
  }
}

/**
 * The match is held first (before it only a new member that sends a link), so that whoever ends it (a block, a deletion) either comes before and is obeyed, or comes
 * after and removes this message too. Then the pair's row is locked: ids grow in the order of the commits.
 */
async function storeInOrder(
  tx: Tx,
  deps: Deps,
  me: MemberRef,
  friend: MemberRef,
  pair: Pair,
  { text, mediaId, clientId }: Draft,
): Promise<Stored> {
  const braked = await holdForLinks(tx, deps, me, text);
  const { after, known } = await takeConversation(tx, me, friend, pair, clientId);
  if (known) return { message: openMessage(deps, pair, known), isNew: false, after };
  if (braked) await countLinks(tx, deps, me, friend, pair, braked);

  const createdAt = deps.clock.now();
  const id = nextMessageId(createdAt, after);
  await rows.insertMessage(tx, {
    pair: pair.key,
    message_id: id,
    sender_no: me.no,
    client_id: clientId,
    sealed_text: text === null ? null : deps.sealing.seal(text, textContext(pair, id)),
    sealed_media: mediaId === null ? null : deps.sealing.seal(mediaId, mediaContext(pair, id)),
    created_at: createdAt,
  });
  await conversations.upsertInbox(tx, [
    { member_no: me.no, other_no: friend.no, last_message_id: id, last_received_id: null },
    { member_no: friend.no, other_no: me.no, last_message_id: id, last_received_id: id },
  ]);
  if (mediaId !== null) await claimMedia(tx, me.no, mediaId);
  await deps.consequences.follow(tx, "message_stored", { to: friend.no });
  const message = { pair, id, senderNo: me.no, clientId, text, mediaId, createdAt, isUnsent: false };
  return { message, isNew: true, after };
}

/**
 * Holds the match and then the pair's row, which the first message makes; answers the id of the pair's last message, and
 * the one that is stored already under `clientId`. The statements are sent together and done in this order: whatever is
 * looked for is looked for once the pair is ours.
 */
async function takeConversation(
  tx: Tx,
  me: MemberRef,
  friend: MemberRef,
  pair: Pair,
  clientId: string | null,
): Promise<{ after: string | null; known: rows.MessageRow | undefined }> {
  const take = () =>
    runTogether(tx, [
      conversations.holdMatchQuery(tx, me.no, friend.no),
      conversations.lockConversationQuery(tx, pair.key),
      rows.byClientIdQuery(tx, pair.key, me.no, clientId),
    ]);
  let [edges, taken, known] = await take();
  if (edges.length === 0) throw refuse("conversation_not_found");
  if (taken.length === 0) {
    await conversations.insertConversation(tx, pair.key);
    [edges, taken, known] = await take();
  }
  return { after: taken[0]?.last_message_id ?? null, known: known[0] };
}
