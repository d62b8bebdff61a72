import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { cardDay, chosenStart, type Person } from "../../profiles/index.ts";
import { loadShown } from "../load-shown.ts";
import { passesSince } from "../quotas.ts";
import { admits, areMutual, filterFingerprintOf, fingerprintOf } from "../search/mutual-filter.ts";
import { dropSeen } from "../search/search.sql.ts";
import type { Viewer } from "../search/viewer.ts";
import * as rows from "./daily-cards.sql.ts";
import { type Candidates, type EmptyReason, nextCandidates } from "./deck.ts";

const MAX_ATTEMPTS = 5;

interface DailyCards extends Omit<Candidates, "emptyReason"> {
  readonly emptyReason: EmptyReason | "card_used";
  readonly cameAt: Date | null;
}

/**
 * On later days too, a dealt card stays until it is used or its member becomes unavailable. A changed filter replaces
 * cards once a day, a move never: otherwise each change would deal new cards.
 */
export async function fetchDailyCards(
  ctx: AppContext,
  viewer: Viewer,
  shown: ReadonlySet<number>,
): Promise<DailyCards> {
  const { start } = cardDay(ctx, viewer.cardDays);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await rows.readQuotaDay(ctx.db, viewer.memberId, start);
    const remaining = ctx.config.freeCardsPerDay - old.cardsUsed;
    if (remaining <= 0)
      return { people: [], areFacesUsedUp: false, emptyReason: "card_used", suggestion: null, cameAt: null };

    const available = await keepAvailable(ctx, viewer, old.dailyCards);
    const admitted = dropUnadmitted(ctx, viewer, old, available);
    const held = admitted.slice(0, remaining);
    const dealt = await dealCards(ctx, viewer, held, shown, remaining);
    const people = [...held, ...dealt.people];
    const cards = {
      dailyCards: toCards(people, old.dailyCards),
      filterFingerprint: dealt.people.length > 0 ? filterFingerprintOf(viewer.filter) : old.filterFingerprint,
      isReplaced: old.isReplaced || (!old.isNew && admitted.length < available.length),
      cameAt: held.length > 0 ? old.cameAt : chosenStart(ctx, viewer.cardDays),
    };
    if (
      (!old.isNew && isSame(cards.dailyCards, old.dailyCards)) ||
      (await rows.storeDailyCards(ctx.db, viewer.memberId, start, old, cards))
    ) {
      return {
        people: people.filter(({ memberId }) => !shown.has(memberId)).slice(0, OPTIONS_PER_FETCH),
        areFacesUsedUp: false,
        emptyReason: people.length > 0 ? "all_seen" : dealt.emptyReason,
        suggestion: dealt.suggestion,
        cameAt: cards.cameAt,
      };
    }
  }
  throw new Error("too many simultaneous deals of daily cards");
}

async function dealCards(
  ctx: AppContext,
  viewer: Viewer,
  held: readonly Person[],
  shown: ReadonlySet<number>,
  remaining: number,
): Promise<Candidates> {
  const shownCards = held.filter(({ memberId }) => shown.has(memberId)).length;
  const count = Math.min(remaining, OPTIONS_PER_FETCH + shownCards) - held.length;
  if (count <= 0) return { people: [], areFacesUsedUp: false, emptyReason: "all_seen", suggestion: null };
  const excluded = new Set([...shown, ...held.map(({ memberId }) => memberId)]);
  return nextCandidates(ctx, viewer, { count, excluded });
}

function dropUnadmitted(
  ctx: AppContext,
  viewer: Viewer,
  old: rows.DealtCards,
  available: readonly Person[],
): readonly Person[] {
  if (old.isReplaced || old.filterFingerprint === filterFingerprintOf(viewer.filter)) return available;
  return available.filter((person) => onADayOfTheMonth(ctx, (day) => admits(ctx, viewer, person, day)));
}

/** Unchanged members stay available, wherever the viewer moves. */
async function keepAvailable(
  ctx: AppContext,
  viewer: Viewer,
  cards: readonly rows.DailyCard[],
): Promise<Person[]> {
  const unseen = await dropSeen(
    ctx.db,
    viewer.memberId,
    cards.map(({ memberId }) => memberId),
    passesSince(ctx),
  );
  const people = await loadShown(ctx, viewer, unseen);
  const fingerprints = fingerprintsOf(cards);
  return unseen.flatMap((memberId) => {
    const person = people.get(memberId);
    if (!person) return [];
    const isUnchanged = fingerprints.get(memberId) === fingerprintOf(person);
    const isSuitable = () => onADayOfTheMonth(ctx, (day) => areMutual(ctx, viewer, person, day));
    return isUnchanged || isSuitable() ? [person] : [];
  });
}

/** A birthday of either side replaces no card before its month ends: the change would show its day. */
function onADayOfTheMonth({ clock }: AppContext, suits: (day: string) => boolean): boolean {
  const month = utcDay(clock.now()).slice(0, 7);
  return suits(`${month}-01`) || suits(`${month}-31`);
}

function toCards(people: readonly Person[], old: readonly rows.DailyCard[]): rows.DailyCard[] {
  const fingerprints = fingerprintsOf(old);
  return people.map((person) => ({
    memberId: person.memberId,
    fingerprint: fingerprints.get(person.memberId) ?? fingerprintOf(person),
  }));
}

function fingerprintsOf(cards: readonly rows.DailyCard[]): Map<number, number> {
  return new Map(cards.map(({ memberId, fingerprint }) => [memberId, fingerprint]));
}

function isSame(a: readonly rows.DailyCard[], b: readonly rows.DailyCard[]): boolean {
  return a.length === b.length && a.every(({ memberId }, i) => memberId === b[i]!.memberId);
}
