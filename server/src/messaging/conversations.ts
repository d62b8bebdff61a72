import type { AnswerOf } from "@alcove/contract";
import type { getLastDms } from "@alcove/contract/messaging";
import { matchesOf } from "../discovery/index.ts";
import type { Deps, Me } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./conversations.sql.ts";
import type { InboxRow } from "./conversations.sql.ts";
import { messagesByIds } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { openMessage, presentDm } from "./present.ts";

/** A member's new matches without a message yet, and the latest message of each other conversation, newest first. */
export async function listConversations(deps: Deps, me: Me): Promise<AnswerOf<typeof getLastDms>> {
  const [matches, inbox] = await Promise.all([matchesOf(deps.db, me.no), rows.inboxOf(deps.db, me.no)]);
  const people = await loadPeople(deps, [me.no, ...matches.map(({ otherNo }) => otherNo)]);
  const matched = new Set(matches.map(({ otherNo }) => otherNo));
  const isVisible = (no: number) => matched.has(no) && people.get(no)?.standing === "active";

  const talked = inbox.flatMap((row) => (isTalked(row) && isVisible(row.other_no) ? row : []));
  const talkedTo = new Set(talked.map(({ other_no }) => other_no));
  // Who has read something there has looked at the match, though all of it was taken back since.
  const hasRead = new Set(inbox.flatMap(({ other_no, read_id }) => (read_id === null ? [] : other_no)));
  const silent = matches
    .filter(({ otherNo }) => isVisible(otherNo) && !talkedTo.has(otherNo))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());

  const messages = await messagesByIds(
    deps.db,
    talked.map(({ other_no }) => pairOf(me.no, other_no).key),
    talked.map(({ last_message_id }) => last_message_id),
  );
  const byId = new Map(messages.map((row) => [row.message_id, row]));
  const dms = talked.flatMap(({ other_no, last_message_id }) => {
    const row = byId.get(last_message_id);
    return (row && presentDm(deps, me, openMessage(deps, pairOf(me.no, other_no), row), people)) ?? [];
  });
  return {
    matches: silent.map(({ otherNo }) => presentParty(deps, me, people.get(otherNo)!)),
    dms,
    unread: [
      ...silent.flatMap(({ otherNo, isNew }) =>
        isNew && !hasRead.has(otherNo) ? people.get(otherNo)!.userId : [],
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
