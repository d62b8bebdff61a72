import type { ResponseOf } from "@alcove/contract";
import type { getLastDms } from "@alcove/contract/messaging";
import { matchesOf } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./conversations.sql.ts";
import type { InboxRow } from "./conversations.sql.ts";
import { messagesByIds } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { openMessage, presentDm } from "./present.ts";

/** A member's new matches without a message yet, and the latest message of each other conversation, newest first. */
export async function listConversations(
  ctx: AppContext,
  me: CurrentMember,
): Promise<ResponseOf<typeof getLastDms>> {
  const [matches, inbox] = await Promise.all([
    matchesOf(ctx.db, me.memberId),
    rows.inboxOf(ctx.db, me.memberId),
  ]);
  const people = await loadPeople(ctx, [me.memberId, ...matches.map(({ otherMemberId }) => otherMemberId)]);
  const matched = new Set(matches.map(({ otherMemberId }) => otherMemberId));
  const isVisible = (memberId: number) =>
    matched.has(memberId) && people.get(memberId)?.accountStatus === "active";

  const talked = inbox.flatMap((row) => (isTalked(row) && isVisible(row.other_no) ? row : []));
  const talkedTo = new Set(talked.map(({ other_no }) => other_no));
  // Who has read something there has looked at the match, though all of it was taken back since.
  const hasRead = new Set(inbox.flatMap(({ other_no, read_id }) => (read_id === null ? [] : other_no)));
  const silent = matches
    .filter(({ otherMemberId }) => isVisible(otherMemberId) && !talkedTo.has(otherMemberId))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());

  const messages = await messagesByIds(
    ctx.db,
    talked.map(({ other_no }) => pairOf(me.memberId, other_no).key),
    talked.map(({ last_message_id }) => last_message_id),
  );
  const byId = new Map(messages.map((row) => [row.message_id, row]));
  const dms = talked.flatMap(({ other_no, last_message_id }) => {
    const row = byId.get(last_message_id);
    return (row && presentDm(ctx, me, openMessage(ctx, pairOf(me.memberId, other_no), row), people)) ?? [];
  });
  return {
    matches: silent.map(({ otherMemberId }) => presentParty(ctx, me, people.get(otherMemberId)!)),
    dms,
    unread: [
      ...silent.flatMap(({ otherMemberId, isNew }) =>
        isNew && !hasRead.has(otherMemberId) ? people.get(otherMemberId)!.userId : [],
      ),
      ...talked.flatMap((row) => (isUnread(row) ? people.get(row.other_no)!.userId : [])),
    ],
  };
}

function isTalked(row: InboxRow): row is InboxRow & { last_message_id: string } {
  return row.last_message_id !== null;
}

/** Ids of UUIDv7 sort by time as text does. */
function isUnread({ last_received_id, read_id }: InboxRow): boolean {
  return last_received_id !== null && (read_id === null || read_id < last_received_id);
}
