import { MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { deleteViewer } from "./clear-viewers.sql.ts";
import * as rows from "./matches.sql.ts";
import { forgetPassOf } from "./undo.sql.ts";
import * as verdicts from "./verdicts.sql.ts";

declare module "../platform/realtime/event-bus.ts" {
  interface Hints {
    /** Two members have become a match. */
    matched: { a: number; b: number };
    /** A member has lost a friend, who blocked it, was blocked by it, or is gone. */
    friend_lost: { no: number; friendNo: number; friendId: string };
  }
}

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** Two members are becoming a match; both are locked. */
    match_made: { a: number; b: number };
  }
}

/**
 * Makes the match of two members who like each other, once however often it is asked for; false when they do not.
 *
 * Both are locked, by rising number, and asked again: a block or deletion in between wins.
 */
export async function completeMatch(deps: Deps, one: number, other: number): Promise<boolean> {
  const [a, b] = one < other ? [one, other] : [other, one];
  const outcome = await deps.db.transaction().execute(async (tx) => {
    const areBothThere = (await verdicts.lockMember(tx, a)) && (await verdicts.lockMember(tx, b));
    if (!areBothThere || !(await likeEachOther(tx, a, b))) return "none";
    const at = deps.clock.now();
    const isFirst = await rows.insertMatchEdge(tx, a, b, at);
    if (!isFirst) return "known";
    await rows.insertMatchEdge(tx, b, a, at);
    await verdicts.deleteLikeReceived(tx, a, b);
    await verdicts.deleteLikeReceived(tx, b, a);
    await deps.consequences.follow(tx, "match_made", { a, b });
    return "new";
  });
  if (outcome === "new") deps.live.tell("matched", { a, b });
  return outcome !== "none";
}

async function likeEachOther(tx: Tx, a: number, b: number): Promise<boolean> {
  return (await verdicts.hasLiked(tx, a, b)) && (await verdicts.hasLiked(tx, b, a));
}

/** Tells both sides of a match, each on the sockets that this process holds. */
export async function announceMatch(deps: Deps, { a, b }: { a: number; b: number }): Promise<void> {
  if (!deps.sockets.has(a) && !deps.sockets.has(b)) return;
  if (!(await rows.isMatched(deps.db, a, b))) return;
  const people = await loadPeople(deps, [a, b]);
  for (const [viewer, other] of [
    [a, people.get(b)],
    [b, people.get(a)],
  ] as const) {
    if (!other) continue;
    deps.sockets.send(viewer, (session) => ({ match: presentParty(deps, { no: viewer, session }, other) }));
  }
}

/** Completes the matches that a crash left undone, should even their jobs be lost. */
export async function sweepMatches(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - MINUTE_MS);
  for (const { one, other } of await rows.findMissedMatches(deps.db, before)) {
    await completeMatch(deps, one, other);
  }
}

interface Party {
  readonly no: number;
  readonly userId: string;
}

/** Tells a member, after the commit, that a friend is no more. */
export function tellLost(deps: Deps, no: number, friend: Party): void {
  deps.live.tell("friend_lost", { no, friendNo: friend.no, friendId: friend.userId });
}

/**
 * Ends everything between two members: match, likes, and the chance to be shown to each other for `PASS_DAYS`.
 * Afterwards both are told, if they were a match: to a stranger nothing tells of a block.
 */
export async function partPair(tx: Tx, deps: Deps, one: Party, other: Party): Promise<() => void> {
  const at = deps.clock.now();
  const [a, b] = one.no < other.no ? [one, other] : [other, one];
  let wereMatched = false;
  for (const [{ no }, { no: otherNo }] of [
    [a, b],
    [b, a],
  ] as const) {
    wereMatched = await rows.deleteMatchEdge(tx, no, otherNo);
    await deleteViewer(tx, no, otherNo);
    await verdicts.deleteLikeReceived(tx, no, otherNo);
    await verdicts.turnIntoPass(tx, no, otherNo, at);
    await forgetPassOf(tx, no, otherNo);
  }
  return () => {
    if (!wereMatched) return;
    tellLost(deps, a.no, b);
    tellLost(deps, b.no, a);
  };
}

/** Takes back what one member thinks of another that it will not see any more; the other notices nothing. */
export async function dropLike(tx: Tx, deps: Deps, from: number, hidden: number): Promise<void> {
  await verdicts.deleteLikeReceived(tx, hidden, from);
  await verdicts.turnIntoPass(tx, from, hidden, deps.clock.now());
  await forgetPassOf(tx, from, hidden);
}
