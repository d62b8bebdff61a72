import type { ResponseOf } from "@alcove/contract";
import { RESTING_DAYS } from "@alcove/contract/limits";
import type { getLastDms } from "@alcove/contract/messaging";
import type { Language } from "@alcove/i18n";
import { readEnded, readMatches } from "../discovery/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { translator } from "../platform/i18n.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { readInbox, type InboxRow } from "./conversations.sql.ts";
import { tryDecryptMessage } from "./message.ts";
import { messagesByIds } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { createPresenter } from "./present.ts";
import { readUnwanted, readUnwilling } from "./unwanted-pictures.sql.ts";

export async function listConversations(
  ctx: AppContext,
  me: CurrentMember,
  language: Language,
): Promise<ResponseOf<typeof getLastDms>> {
  const now = ctx.clock.now();
  const [matches, inbox, ended, unwanted] = await Promise.all([
    readMatches(ctx.db, me.memberId),
    readInbox(ctx.db, me.memberId),
    readEnded(ctx.db, me.memberId, utcDay(now)),
    readUnwanted(ctx.db, me.memberId),
  ]);
  const others = matches.map(({ otherMemberId }) => otherMemberId);
  const unwilling = await readUnwilling(ctx.db, me.memberId, others);
  const choicesWith = (memberId: number) => ({
    pictures: !unwilling.includes(memberId),
    accepts_pictures: !unwanted.includes(memberId),
  });
  const people = await loadPeople(ctx, [me.memberId, ...others]);
  const matched = new Set(others);
  const isVisible = (memberId: number) =>
    matched.has(memberId) && people.get(memberId)?.isSuspended === false;

  const isAnnounced = (memberId: number) => people.get(memberId)?.isLimited === false;
  const withMessages = inbox.flatMap((row) => (hasMessage(row) && isVisible(row.other_no) ? row : []));
  const matchesWithMessages = new Set(withMessages.map(({ other_no }) => other_no));
  // Reading ends the new state of a match, even if all messages were unsent.
  const readWith = new Set(inbox.flatMap(({ other_no, read_id }) => (read_id === null ? [] : other_no)));
  const empty = matches.filter(
    ({ otherMemberId }) => isVisible(otherMemberId) && !matchesWithMessages.has(otherMemberId),
  );

  const newest = await decryptNewest(ctx, me.memberId, withMessages);
  const present = createPresenter(ctx, me, people);
  const voiceNote = translator(language, "messages")("voiceNote");
  const openedOn = new Map(matches.map((match) => [match.otherMemberId, match.openedOn]));
  const dms = newest.flatMap((message, i) => {
    const dm = message && present(message);
    if (!dm) return [];
    const { other_no } = withMessages[i]!;
    const resting = isResting(now, [message.createdAt, openedOn.get(other_no)]);
    const my_turn = message.senderMemberId === other_no && !resting && isAnnounced(other_no);
    const description = dm.voice === null ? dm.description : (dm.description ?? voiceNote);
    return Object.assign(dm, { description, resting, my_turn }, choicesWith(other_no));
  });
  return {
    matches: empty.map((match) => ({
      ...presentParty(ctx, me, people.get(match.otherMemberId)!),
      matched_on: match.day,
      resting: isResting(now, [match.day, match.openedOn]),
      my_turn: false,
      ...choicesWith(match.otherMemberId),
    })),
    dms,
    unread: [
      ...empty.flatMap(({ otherMemberId, isNew }) =>
        isNew && isAnnounced(otherMemberId) && !readWith.has(otherMemberId)
          ? people.get(otherMemberId)!.userId
          : [],
      ),
      ...withMessages.flatMap((row) =>
        isUnread(row) && isAnnounced(row.other_no) ? people.get(row.other_no)!.userId : [],
      ),
    ],
    muted: inbox.flatMap(({ other_no, is_muted }) =>
      is_muted && isVisible(other_no) ? people.get(other_no)!.userId : [],
    ),
    ended: ended.map(({ ended_id: id, matched_on, ended_on, goodbye }) => ({
      id,
      matched_on,
      ended_on,
      goodbye,
    })),
  };
}

type StartedInbox = InboxRow & { last_message_id: string };

/** Returns the last message of each conversation, or nothing for one that was deleted meanwhile. */
async function decryptNewest(ctx: AppContext, memberId: number, inbox: readonly StartedInbox[]) {
  const pairs = inbox.map(({ other_no }) => pairOf(memberId, other_no));
  const messages = await messagesByIds(
    ctx.db,
    pairs.map(({ key }) => key),
    inbox.map(({ last_message_id }) => last_message_id),
  );
  const byId = new Map(messages.map((row) => [row.message_id, row]));
  return Promise.all(
    inbox.map(async ({ last_message_id }, i) => {
      const row = byId.get(last_message_id);
      return row && tryDecryptMessage(ctx, pairs[i]!, row);
    }),
  );
}

/** A day counts from its end. */
function isResting(now: Date, events: readonly (Date | string | null | undefined)[]): boolean {
  return events.every((at) => {
    if (at == null) return true;
    const time = typeof at === "string" ? Date.parse(at) + DAY_MS : at.getTime();
    return now.getTime() - time >= RESTING_DAYS * DAY_MS;
  });
}

function hasMessage(row: InboxRow): row is StartedInbox {
  return row.last_message_id !== null;
}

/** UUIDv7 ids sort by time, also as text. */
function isUnread({ last_received_id, read_id }: InboxRow): boolean {
  return last_received_id !== null && (read_id === null || read_id < last_received_id);
}
