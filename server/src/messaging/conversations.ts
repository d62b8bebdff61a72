import type { ResponseOf } from "@alcove/contract";
import type { getLastDms } from "@alcove/contract/messaging";
import { readMatches } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { readInbox, type InboxRow } from "./conversations.sql.ts";
import { tryDecryptMessage } from "./message.ts";
import { messagesByIds } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { createPresenter } from "./present.ts";

export async function listConversations(
  ctx: AppContext,
  me: CurrentMember,
): Promise<ResponseOf<typeof getLastDms>> {
  const [matches, inbox] = await Promise.all([
    readMatches(ctx.db, me.memberId),
    readInbox(ctx.db, me.memberId),
  ]);
  const people = await loadPeople(ctx, [me.memberId, ...matches.map(({ otherMemberId }) => otherMemberId)]);
  const matched = new Set(matches.map(({ otherMemberId }) => otherMemberId));
  const isVisible = (memberId: number) =>
    matched.has(memberId) && people.get(memberId)?.isSuspended === false;

  const withMessages = inbox.flatMap((row) => (hasMessage(row) && isVisible(row.other_no) ? row : []));
  const matchesWithMessages = new Set(withMessages.map(({ other_no }) => other_no));
  // Reading ends the new state of a match, even if all messages were unsent.
  const readWith = new Set(inbox.flatMap(({ other_no, read_id }) => (read_id === null ? [] : other_no)));
  const empty = matches.filter(
    ({ otherMemberId }) => isVisible(otherMemberId) && !matchesWithMessages.has(otherMemberId),
  );

  const messages = await messagesByIds(
    ctx.db,
    withMessages.map(({ other_no }) => pairOf(me.memberId, other_no).key),
    withMessages.map(({ last_message_id }) => last_message_id),
  );
  const byId = new Map(messages.map((row) => [row.message_id, row]));
  const newest = await Promise.all(
    withMessages.map(async ({ other_no, last_message_id }) => {
      const row = byId.get(last_message_id);
      return row && tryDecryptMessage(ctx, pairOf(me.memberId, other_no), row);
    }),
  );
  const present = createPresenter(ctx, me, people);
  const dms = newest.flatMap((message) => (message && present(message)) ?? []);
  return {
    matches: empty.map(({ otherMemberId, day }) => ({
      ...presentParty(ctx, me, people.get(otherMemberId)!),
      matched_on: day,
    })),
    dms,
    unread: [
      ...empty.flatMap(({ otherMemberId, isNew }) =>
        isNew && !readWith.has(otherMemberId) ? people.get(otherMemberId)!.userId : [],
      ),
      ...withMessages.flatMap((row) => (isUnread(row) ? people.get(row.other_no)!.userId : [])),
    ],
    muted: inbox.flatMap(({ other_no, is_muted }) =>
      is_muted && isVisible(other_no) ? people.get(other_no)!.userId : [],
    ),
  };
}

function hasMessage(row: InboxRow): row is InboxRow & { last_message_id: string } {
  return row.last_message_id !== null;
}

/** UUIDv7 ids sort by time, also as text. */
function isUnread({ last_received_id, read_id }: InboxRow): boolean {
  return last_received_id !== null && (read_id === null || read_id < last_received_id);
}
