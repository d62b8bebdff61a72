import { encryptForEvent, findUserId } from "../../members/user-ids.ts";
import { lockBoth } from "../../members/locks.ts";
import { isWaiting } from "../../moderation/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { loadPeople, presentParty } from "../../profiles/index.ts";
import { deleteLastVerdictOf } from "../last-verdicts.sql.ts";
import { hasLiked } from "../likes.sql.ts";
import * as verdicts from "../verdicts.sql.ts";
import { deleteViewer } from "./clear-icon-viewers.sql.ts";
import { storeEnded } from "./ended-matches.ts";
import * as rows from "./matches.sql.ts";

/** Reads both likes under the members' locks, because a block or deletion may have come first. Safe to repeat. */
export async function completeMatch(ctx: AppContext, one: number, other: number): Promise<boolean> {
  const [a, b] = one < other ? [one, other] : [other, one];
  let afterCommit = () => {};
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, a, b)) || !(await likeEachOther(tx, a, b))) return "none";
    if (await isWaiting(tx, ctx, [a, b])) return "none";
    const day = utcDay(ctx.clock.now());
    const isFirst = await rows.insertMatchEdge(tx, a, b, day);
    if (!isFirst) return "known";
    await rows.insertMatchEdge(tx, b, a, day);
    await verdicts.deleteLikeReceived(tx, a, b);
    await verdicts.deleteLikeReceived(tx, b, a);
    afterCommit = await ctx.domainEvents.emit(tx, "match_made", { a, b });
    return "new";
  });
  if (outcome === "new") {
    afterCommit();
    ctx.eventBus.publish("matched", { a, b });
  }
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
    if (!other || other.isSuspended || other.isLimited) continue;
    ctx.sockets.send(viewer, (session) => ({
      match: presentParty(ctx, { memberId: viewer, session }, other),
    }));
  }
}

export async function completeMissedMatches(ctx: AppContext): Promise<void> {
  for (const { one, other } of await rows.findMissedMatches(ctx.db)) {
    await completeMatch(ctx, one, other);
  }
}

/** Turns match and likes into passes. Notifies only matched members: another notice would reveal a block. */
export async function separatePair(
  tx: Tx,
  ctx: AppContext,
  by: MemberRef,
  other: MemberRef,
  goodbye: number | null = null,
): Promise<() => void> {
  const day = utcDay(ctx.clock.now());
  const [a, b] = by.memberId < other.memberId ? [by, other] : [other, by];
  let matchedOn: string | null = null;
  for (const [{ memberId }, { memberId: otherMemberId }] of [
    [a, b],
    [b, a],
  ] as const) {
    matchedOn = await rows.deleteMatchEdge(tx, memberId, otherMemberId);
    await deleteViewer(tx, memberId, otherMemberId);
    await verdicts.deleteLikeReceived(tx, memberId, otherMemberId);
    await verdicts.replaceByPass(tx, {
      actor: memberId,
      target: otherMemberId,
      day,
      hasMet: memberId === by.memberId,
    });
    await deleteLastVerdictOf(tx, memberId, otherMemberId);
  }
  await ctx.jobs.add(tx, "count_order_inputs", { memberIds: [a.memberId, b.memberId] });
  if (matchedOn === null) return () => {};
  const ended = { memberId: other.memberId, otherMemberId: by.memberId, matchedOn, goodbye };
  await storeEnded(tx, ctx, [ended]);
  const toA = await matchEnded(tx, ctx, a, b);
  const toB = await matchEnded(tx, ctx, b, a);
  return () => [toA, toB].forEach((event) => ctx.eventBus.publish("match_ended", event));
}

async function matchEnded(tx: Tx, { encryption }: AppContext, to: MemberRef, other: MemberRef) {
  const { memberId } = other;
  const userId = (await findUserId(tx, encryption, memberId))!;
  return {
    memberId: to.memberId,
    otherMemberId: memberId,
    otherUserId: await encryptForEvent(encryption, { memberId, userId }),
  };
}
