import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import { utcDay } from "../platform/clock.ts";
import type { Deps } from "../platform/context.ts";
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
  deps: Deps,
  viewer: Viewer,
  shown: ReadonlySet<number>,
): Promise<Omit<Candidates, "emptyReason"> & { emptyReason: NobodyLeft | "card_used" }> {
  const day = quotaDay(deps);
  for (let deal = 0; deal < DEALS; deal++) {
    const old = await rows.readDay(deps.db, viewer.no, day);
    const left = deps.settings.freeCardsPerDay - old.cards;
    if (left <= 0) return { people: [], emptyReason: "card_used", suggestion: null };

    const held = (await stillThere(deps, viewer, old.hand)).slice(0, left);
    const dealt = await dealMore(deps, viewer, held, shown, left);
    const people = [...held, ...dealt.people];
    const hand = handOf(people, old.hand);
    if (isSame(hand, old.hand) || (await rows.storeHand(deps.db, viewer.no, day, old, hand))) {
      return {
        people: people.filter(({ no }) => !shown.has(no)).slice(0, OPTIONS_PER_FETCH),
        emptyReason: people.length > 0 ? "all_seen" : dealt.emptyReason,
        suggestion: dealt.suggestion,
      };
    }
  }
  throw new Error("the cards of a member were dealt too often at once");
}

async function dealMore(
  deps: Deps,
  viewer: Viewer,
  held: readonly Person[],
  shown: ReadonlySet<number>,
  left: number,
): Promise<Candidates> {
  const shownOfHand = held.filter(({ no }) => shown.has(no)).length;
  const wanted = Math.min(left, OPTIONS_PER_FETCH + shownOfHand) - held.length;
  if (wanted <= 0) return { people: [], emptyReason: "all_seen", suggestion: null };
  const without = new Set([...shown, ...held.map(({ no }) => no)]);
  return nextCandidates(deps, viewer, { wanted, without });
}

/** The people of a hand who can still be liked: neither judged, blocked, suspended or gone, nor withdrawn by themselves. */
async function stillThere(deps: Deps, viewer: Viewer, hand: rows.Hand): Promise<Person[]> {
  const kept = await keep(deps.db, viewer.no, hand.nos, passesSince(deps));
  const people = await loadPeople(deps, kept);
  const day = utcDay(deps.clock.now());
  const marks = marksOf(hand);
  return kept.flatMap((no) => {
    const person = people.get(no);
    if (person?.standing !== "active") return [];
    const hasStayed = marks.get(no) === markOf(person);
    return hasStayed || areMutual(viewer, person, day) ? [person] : [];
  });
}

/** A card keeps the mark that its person had when it was dealt. */
function handOf(people: readonly Person[], old: rows.Hand): rows.Hand {
  const marks = marksOf(old);
  return {
    nos: people.map(({ no }) => no),
    marks: people.map((person) => marks.get(person.no) ?? markOf(person)),
  };
}

function marksOf({ nos, marks }: rows.Hand): Map<number, number> {
  return new Map(nos.map((no, i) => [no, marks[i]!]));
}

function isSame(a: rows.Hand, b: rows.Hand): boolean {
  return a.nos.join() === b.nos.join();
}
