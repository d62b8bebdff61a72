import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { DayCounters } from "../members/tables.ts";
import { encryptForEvent } from "../members/user-ids.ts";
import type { AppContext } from "../platform/context.ts";
import { addMemberJob } from "../platform/jobs/member-jobs.ts";
import { deleteViewerEverywhere, deleteViewersOf } from "./matches/clear-icon-viewers.sql.ts";
import { deleteDeck, deleteDecksBuiltBefore, removeFromDecks } from "./cards/deck.sql.ts";
import { removeSearchRow } from "./search/search-index.ts";
import { deleteEndedOf, readEndedBySuspension } from "./matches/ended-matches.sql.ts";
import { storeEnded } from "./matches/ended-matches.ts";
import { deleteMatchesOf } from "./matches/matches.sql.ts";
import { removeFromDailyCards } from "./cards/daily-cards.sql.ts";
import { readDayCounters } from "./day-counters.ts";
import { deleteQuotaDays, deleteQuotaDaysBefore } from "./quotas.sql.ts";
import { deleteLastVerdictsAbout, deleteLastVerdict } from "./last-verdicts.sql.ts";
import { deleteVerdictsAbout, deleteVerdictsOf } from "./verdicts.sql.ts";

export async function deleteDiscoveryData(
  tx: Tx,
  ctx: AppContext,
  member: { memberId: number; userId: string; counters: DayCounters },
): Promise<() => void> {
  const { memberId } = member;
  Object.assign(member.counters, await readDayCounters(tx, ctx, memberId));
  await removeSearchRow(tx, memberId);
  await deleteQuotaDays(tx, memberId);
  return endConnections(tx, ctx, member);
}

/**
 * Destroys verdicts and matches, and what follows from them. Returns the after-commit callback.
 *
 * A job deletes the member's ended matches: a deletion of the other side locks them after hidden conversations.
 */
export async function endConnections(
  tx: Tx,
  ctx: AppContext,
  member: { memberId: number; userId: string },
): Promise<() => void> {
  const { memberId } = member;
  const liked = await deleteVerdictsOf(tx, memberId);
  const matches = await deleteMatchesOf(tx, memberId);
  const matchedMemberIds = matches.map(({ otherMemberId }) => otherMemberId);
  const known = await readEndedBySuspension(tx, memberId);
  const untold = matches.filter(({ otherMemberId }) => !known.includes(otherMemberId));
  await storeEnded(
    tx,
    ctx,
    untold.map(({ otherMemberId, day }) => ({
      memberId: otherMemberId,
      otherMemberId: memberId,
      matchedOn: day,
      byDeletion: true,
    })),
  );
  await deleteViewersOf(tx, memberId);
  await deleteViewerEverywhere(tx, memberId, matchedMemberIds);
  await deleteLastVerdict(tx, memberId);
  await deleteDeck(tx, memberId);
  await addMemberJob(tx, ctx, "delete_verdicts_about", memberId);
  if (liked.length > 0) await ctx.jobs.add(tx, "count_order_inputs", { memberIds: liked });
  const ended = { otherMemberId: memberId, otherUserId: await encryptForEvent(ctx.encryption, member) };
  return () =>
    matchedMemberIds.forEach((other) => ctx.eventBus.publish("match_ended", { memberId: other, ...ended }));
}

export async function deleteReferences({ db }: AppContext, memberId: number): Promise<void> {
  await deleteVerdictsAbout(db, memberId);
  await deleteEndedOf(db, memberId);
  await deleteLastVerdictsAbout(db, memberId);
  await removeFromDecks(db, memberId);
  await removeFromDailyCards(db, memberId);
}

export async function deleteExpired({ db, clock }: AppContext): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION.cardDays * DAY_MS);
  await deleteQuotaDaysBefore(db, floorTo(before, DAY_MS));
  await deleteDecksBuiltBefore(db, before);
}
