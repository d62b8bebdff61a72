import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import { utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import { type Candidates, type NobodyLeft, nextCandidates } from "./deck.ts";
import { passesSince } from "./verdict-lock.ts";
import { quotaDay } from "./quotas.ts";
import * as rows from "./quotas.sql.ts";
import { areMutual, markOf } from "./mutual-filter.ts";
import { keep } from "./search.sql.ts";
import type { Viewer } from "./viewer.ts";

const DEALS = 5;

/**
 * The cards of a free member: those dealt today and not used, and new ones up to what is left of the day.
 *
 * A dealt card stays the same until it is used; it is replaced only when that person becomes unavailable, never
 * because the viewer moves or changes its filter: else both would deal new cards without end. Of two requests at
 * once one deals, and the other shows the same cards.
 */
export async function cardsOfTheDay(
  ctx: AppContext,
  viewer: Viewer,
  shown: ReadonlySet<number>,
): Promise<Omit<Candidates, "emptyReason"> & { emptyReason: NobodyLeft | "card_used" }> {
  const day = quotaDay(ctx);
  for (let deal = 0; deal < DEALS; deal++) {
    const old = await rows.readDay(ctx.db, viewer.memberId, day);
    const left = ctx.config.freeCardsPerDay - old.cards;
    if (left <= 0) return { people: [], emptyReason: "card_used", suggestion: null };

    const held = (await stillThere(ctx, viewer, old.hand)).slice(0, left);
    const dealt = await dealMore(ctx, viewer, held, shown, left);
    const people = [...held, ...dealt.people];
    const hand = handOf(people, old.hand);
    if (isSame(hand, old.hand) || (await rows.storeHand(ctx.db, viewer.memberId, day, old, hand))) {
      return {
        people: people.filter(({ memberId }) => !shown.has(memberId)).slice(0, OPTIONS_PER_FETCH),
        emptyReason: people.length > 0 ? "all_seen" : dealt.emptyReason,
        suggestion: dealt.suggestion,
      };
    }
  }
  throw new Error("the cards of a member were dealt too often at once");
}

async function dealMore(
  ctx: AppContext,
  viewer: Viewer,
  held: readonly Person[],
  shown: ReadonlySet<number>,
  left: number,
): Promise<Candidates> {
  const shownOfHand = held.filter(({ memberId }) => shown.has(memberId)).length;
  const wanted = Math.min(left, OPTIONS_PER_FETCH + shownOfHand) - held.length;
  if (wanted <= 0) return { people: [], emptyReason: "all_seen", suggestion: null };
  const without = new Set([...shown, ...held.map(({ memberId }) => memberId)]);
  return nextCandidates(ctx, viewer, { wanted, without });
}

/** The people of a hand who can still be liked: neither judged, blocked, suspended or gone, nor withdrawn by themselves. */
async function stillThere(ctx: AppContext, viewer: Viewer, hand: rows.Hand): Promise<Person[]> {
  const kept = await keep(ctx.db, viewer.memberId, hand.memberIds, passesSince(ctx));
  const people = await loadPeople(ctx, kept);
  const day = utcDay(ctx.clock.now());
  const marks = marksOf(hand);
  return kept.flatMap((memberId) => {
    const person = people.get(memberId);
    if (person?.accountStatus !== "active") return [];
    const hasStayed = marks.get(memberId) === markOf(person);
    return hasStayed || areMutual(viewer, person, day) ? [person] : [];
  });
}

/** A card keeps the mark that its person had when it was dealt. */
function handOf(people: readonly Person[], old: rows.Hand): rows.Hand {
  const marks = marksOf(old);
  return {
    memberIds: people.map(({ memberId }) => memberId),
    marks: people.map((person) => marks.get(person.memberId) ?? markOf(person)),
  };
}

function marksOf({ memberIds, marks }: rows.Hand): Map<number, number> {
  return new Map(memberIds.map((memberId, i) => [memberId, marks[i]!]));
}

function isSame(a: rows.Hand, b: rows.Hand): boolean {
  return a.memberIds.join() === b.memberIds.join();
}
