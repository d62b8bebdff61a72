import type { ParsedOf } from "@alcove/contract";
import { MESSAGES_PER_PAGE } from "@alcove/contract/limits";
import type { Dm, getDms, sendDm } from "@alcove/contract/messaging";
import { claimMedia, forgetMedia, keepMessageImage } from "../media/index.ts";
import type { Tx } from "../platform/database.ts";
import type { Deps, Me, MemberRef } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";
import { loadPeople } from "../profiles/index.ts";
import * as conversations from "./conversations.sql.ts";
import { findFriend } from "./friend.ts";
import { countLinks, holdForLinks } from "./link-brake.ts";
import { nextMessageId } from "./message-id.ts";
import * as rows from "./messages.sql.ts";
import { pairOf, type Pair } from "./pair.ts";
import { mediaContext, openMessage, presentDm, textContext, type Message } from "./present.ts";
import type { InTurn } from "./turns.ts";

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
  const friend = await findFriend(deps, me, form.receiverId);
  const text = form.description ?? null;
  if (text === null && !form.file) throw refuse("empty_message");

  const pair = pairOf(me.no, friend.no);
  const mediaId = form.file ? (await keepMessageImage(deps, me.no, form.file)).mediaId : null;
  const draft = { text, mediaId, clientId: form.clientId?.toLowerCase() ?? null };
  const stored = await keepImageOnlyIfStored(deps, me, mediaId, () =>
    inTurn(pair.key, () =>
      deps.db.transaction().execute((tx) => storeInOrder(tx, deps, me, friend, pair, draft)),
    ),
  );
  if (stored.isNew) {
    // After the commit: nobody hears of what was rolled back.
    deps.live.tell("dm", { low: pair.low, high: pair.high, id: stored.message.id, after: stored.after });
  }

  const dm = presentDm(deps, me, stored.message, await loadPeople(deps, [me.no, friend.no]));
  if (!dm) throw refuse("conversation_not_found");
  return dm;
}

/** A page of messages with a match, oldest first: the newest, those before `lastId`, or those after `afterId`. */
export async function readMessages(
  deps: Deps,
  me: Me,
  { friendId, lastId = null, afterId = null }: ParsedOf<typeof getDms>,
): Promise<{ dms: Dm[]; has_more: boolean }> {
  const friend = await findFriend(deps, me, friendId);
  const pair = pairOf(me.no, friend.no);
  const found =
    afterId === null
      ? await rows.newestMessages(deps.db, pair.key, lastId, MESSAGES_PER_PAGE + 1)
      : await rows.messagesAfter(deps.db, pair.key, afterId, MESSAGES_PER_PAGE + 1);
  const page = found.slice(0, MESSAGES_PER_PAGE);
  if (afterId === null) page.reverse();

  const seen = page.at(-1)?.message_id ?? afterId;
  if (seen !== null) await conversations.markRead(deps.db, me.no, friend.no, seen);
  const people = await loadPeople(deps, [me.no, friend.no]);
  const dms = page.flatMap((row) => presentDm(deps, me, openMessage(deps, pair, row), people) ?? []);
  return { dms, has_more: found.length > MESSAGES_PER_PAGE };
}

/** A message by its id, of one member to another; null when there is none such. */
export async function findMessageFrom(
  deps: Deps,
  from: MemberRef,
  to: MemberRef,
  id: string,
): Promise<Message | null> {
  const pair = pairOf(from.no, to.no);
  const [row] = await rows.messagesByIds(deps.db, [pair.key], [id]);
  return row?.sender_no === from.no ? openMessage(deps, pair, row) : null;
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
  if (!(await conversations.holdMatch(tx, me.no, friend.no))) throw refuse("conversation_not_found");
  const after = await takeConversation(tx, pair);
  const known = clientId && (await rows.findByClientId(tx, pair.key, me.no, clientId));
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
  await conversations.setLastMessage(tx, pair.key, id);
  await conversations.upsertInbox(tx, [
    { member_no: me.no, other_no: friend.no, last_message_id: id, unread: false },
    { member_no: friend.no, other_no: me.no, last_message_id: id, unread: true },
  ]);
  if (mediaId !== null) await claimMedia(tx, me.no, mediaId);
  return { message: { pair, id, senderNo: me.no, clientId, text, mediaId, createdAt }, isNew: true, after };
}

/** Locks the pair's row, which the first message makes; answers the id of the pair's last message. */
async function takeConversation(tx: Tx, pair: Pair): Promise<string | null> {
  const known = await conversations.lockConversation(tx, pair.key);
  if (known) return known.last_message_id;
  await conversations.insertConversation(tx, pair.key);
  const made = await conversations.lockConversation(tx, pair.key);
  return made?.last_message_id ?? null;
}
