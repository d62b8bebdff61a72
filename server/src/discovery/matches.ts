import { lockBoth } from "../accounts/index.ts";
import { MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { deleteViewer } from "./clear-viewers.sql.ts";
import * as rows from "./matches.sql.ts";
import { forgetPassOf } from "./undo.sql.ts";
import * as verdicts from "./verdicts.sql.ts";

/**
 * Makes the match of two members who like each other, once however often it is asked for; false when they do not.
 *
 * Both are locked, by rising number, and asked again: a block or deletion in between wins.
 */
export async function completeMatch(ctx: AppContext, one: number, other: number): Promise<boolean> {
  const [a, b] = one < other ? [one, other] : [other, one];
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, a, b)) || !(await likeEachOther(tx, a, b))) return "none";
    const at = ctx.clock.now();
    const isFirst = await rows.insertMatchEdge(tx, a, b, at);
    if (!isFirst) return "known";
    await rows.insertMatchEdge(tx, b, a, at);
    await verdicts.deleteLikeReceived(tx, a, b);
    await verdicts.deleteLikeReceived(tx, b, a);
    await ctx.domainEvents.emit(tx, "match_made", { a, b });
    return "new";
  });
  if (outcome === "new") ctx.eventBus.publish("matched", { a, b });
  return outcome !== "none";
}

async function likeEachOther(tx: Tx, a: number, b: number): Promise<boolean> {
  return (await verdicts.hasLiked(tx, a, b)) && (await verdicts.hasLiked(tx, b, a));
}

/** Tells both sides of a match, each on the sockets that this process holds. */
export async function announceMatch(ctx: AppContext, { a, b }: { a: number; b: number }): Promise<void> {
  if (!ctx.sockets.has(a) && !ctx.sockets.has(b)) return;
  if (!(await rows.isMatched(ctx.db, a, b))) return;
  const people = await loadPeople(ctx, [a, b]);
  for (const [viewer, other] of [
    [a, people.get(b)],
    [b, people.get(a)],
  ] as const) {
    if (!other) continue;
    ctx.sockets.send(viewer, (session) => ({
      match: presentParty(ctx, { memberId: viewer, session }, other),
    }));
  }
}

/** Completes the matches that a crash left undone, should even their jobs be lost. */
export async function sweepMatches(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - MINUTE_MS);
  for (const { one, other } of await rows.findMissedMatches(ctx.db, before)) {
    await completeMatch(ctx, one, other);
  }
}

interface Party {
  readonly memberId: number;
  readonly userId: string;
}

/** Tells a member, after the commit, that a friend is no more. */
export function tellLost(ctx: AppContext, memberId: number, friend: Party): void {
  ctx.eventBus.publish("friend_lost", { memberId, friendMemberId: friend.memberId, friendId: friend.userId });
}

/**
 * Ends everything between two members: match, likes, and the chance to be shown to each other for `PASS_DAYS`.
 * Afterwards both are told, if they were a match: to a stranger nothing tells of a block.
 */
export async function partPair(tx: Tx, ctx: AppContext, one: Party, other: Party): Promise<() => void> {
  const at = ctx.clock.now();
  const [a, b] = one.memberId < other.memberId ? [one, other] : [other, one];
  let wereMatched = false;
  for (const [{ memberId }, { memberId: otherMemberId }] of [
    [a, b],
    [b, a],
  ] as const) {
    wereMatched = await rows.deleteMatchEdge(tx, memberId, otherMemberId);
    await deleteViewer(tx, memberId, otherMemberId);
    await verdicts.deleteLikeReceived(tx, memberId, otherMemberId);
    await verdicts.turnIntoPass(tx, memberId, otherMemberId, at);
    await forgetPassOf(tx, memberId, otherMemberId);
  }
  return () => {
    if (!wereMatched) return;
    tellLost(ctx, a.memberId, b);
    tellLost(ctx, b.memberId, a);
  };
}

/** Takes back what one member thinks of another that it will not see any more; the other notices nothing. */
export async function dropLike(tx: Tx, ctx: AppContext, from: number, hidden: number): Promise<void> {
  await verdicts.deleteLikeReceived(tx, hidden, from);
  await verdicts.turnIntoPass(tx, from, hidden, ctx.clock.now());
  await forgetPassOf(tx, from, hidden);
}
