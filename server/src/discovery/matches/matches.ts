import { lockBoth } from "../../accounts/index.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { loadPeople, presentParty } from "../../profiles/index.ts";
import { deleteLastPassOf } from "../last-passes.sql.ts";
import { hasLiked } from "../likes.sql.ts";
import * as verdicts from "../verdicts.sql.ts";
import { deleteViewer } from "./clear-icon-viewers.sql.ts";
import * as rows from "./matches.sql.ts";

/**
 * Returns false without a mutual like. Reads both likes under the members' locks, because a block or deletion may have come
 * first. Safe to repeat.
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
  return (await hasLiked(tx, a, b)) && (await hasLiked(tx, b, a));
}

export async function pushMatchToSockets(ctx: AppContext, { a, b }: { a: number; b: number }): Promise<void> {
  if (!ctx.sockets.has(a) && !ctx.sockets.has(b)) return;
  if (!(await rows.areMatched(ctx.db, a, b))) return;
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

export async function completeMissedMatches(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - MINUTE_MS);
  for (const { one, other } of await rows.findMissedMatches(ctx.db, before)) {
    await completeMatch(ctx, one, other);
  }
}

interface Party {
  readonly memberId: number;
  readonly userId: string;
}

export function publishMatchEnded(ctx: AppContext, memberId: number, other: Party): void {
  ctx.eventBus.publish("match_ended", {
    memberId,
    otherMemberId: other.memberId,
    otherUserId: other.userId,
  });
}

/**
 * Turns match and likes into passes on both sides. Notifies only matched members: nothing else may reveal a block.
 */
export async function separatePair(tx: Tx, ctx: AppContext, one: Party, other: Party): Promise<() => void> {
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
    await verdicts.replaceByPass(tx, memberId, otherMemberId, at);
    await deleteLastPassOf(tx, memberId, otherMemberId);
  }
  return () => {
    if (!wereMatched) return;
    publishMatchEnded(ctx, a.memberId, b);
    publishMatchEnded(ctx, b.memberId, a);
  };
}
