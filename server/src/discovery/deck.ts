import type { FilterSuggestion } from "@alcove/contract/discovery";
import { HOUR_MS, SECOND_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import * as rows from "./deck.sql.ts";
import { passesSince } from "./verdict-lock.ts";
import { areMutual, markOf } from "./mutual-filter.ts";
import { isAnybodyInRange, type Search, search } from "./search.ts";
import { keep, readLikers } from "./search.sql.ts";
import { suggest } from "./suggestion.ts";
import type { Viewer } from "./viewer.ts";

/** Why nobody is left. */
export type NobodyLeft = "nobody_in_range" | "all_seen" | "filters_too_narrow";

/** The next candidates of a viewer, found earlier; each is looked at again before it is shown. */
export interface Deck {
  readonly memberIds: readonly number[];
  /** What the viewer was when the deck was built; a viewer with another mark needs another deck. */
  readonly mark: number;
  readonly isExhausted: boolean;
  readonly emptyReason: NobodyLeft;
  /** The change of the filter that would help, where the deck was built empty and there is one. */
  readonly suggestion: FilterSuggestion | null;
  readonly builtAt: Date;
}

export interface Candidates {
  readonly people: readonly Person[];
  readonly emptyReason: NobodyLeft;
  readonly suggestion: FilterSuggestion | null;
}

/** A search for 60 costs hardly more than one for 10, and those that the client shows already come on top. */
const DECK_SIZE = 60;
const LIFE_MS = { paid: 6 * HOUR_MS, free: 24 * HOUR_MS } as const;
/** A dear search that has found everybody there is does not run again sooner. */
const REST_MS = 30 * SECOND_MS;
const NEW_LIKERS = 10;
/** So many are loaded at once to fill what a fetch asks for; nearly all of a deck still match. */
const SPARE = 2;

/** The next candidates of a viewer, from its deck or, when that has too few, from a new one. */
export async function nextCandidates(
  ctx: AppContext,
  viewer: Viewer,
  { wanted, without }: { wanted: number; without: ReadonlySet<number> },
): Promise<Candidates> {
  const deck = usable(ctx, viewer);
  if (deck) {
    const likers = await readLikers(ctx.db, viewer.memberId, { since: deck.builtAt, limit: NEW_LIKERS });
    const people = await serve(ctx, viewer, [...likers, ...deck.memberIds], { wanted, without });
    // One that has just run out is built once more: an empty one knows why it is empty, and what would help.
    const hasRunOut = people.length === 0 && without.size === 0 && deck.memberIds.length > 0;
    if (people.length >= wanted || (isResting(ctx, deck) && !hasRunOut)) {
      return { people, emptyReason: deck.emptyReason, suggestion: deck.suggestion };
    }
  }
  const built = await build(ctx, viewer, without.size);
  const people = await serve(ctx, viewer, built.memberIds, { wanted, without });
  return { people, emptyReason: built.emptyReason, suggestion: built.suggestion };
}

function usable(ctx: AppContext, { deck, isPaid, ...viewer }: Viewer): Deck | null {
  if (!deck || deck.mark !== markOf(viewer)) return null;
  const age = ctx.clock.now().getTime() - deck.builtAt.getTime();
  return age >= 0 && age < (isPaid ? LIFE_MS.paid : LIFE_MS.free) ? deck : null;
}

function isResting(ctx: AppContext, deck: Deck): boolean {
  return deck.isExhausted && ctx.clock.now().getTime() - deck.builtAt.getTime() < REST_MS;
}

async function build(ctx: AppContext, viewer: Viewer, spare: number): Promise<Deck> {
  const found = await search(ctx, viewer, DECK_SIZE + spare);
  const advice = found.memberIds.length === 0 ? await suggest(ctx, viewer) : null;
  const deck = {
    memberIds: found.memberIds,
    mark: markOf(viewer),
    isExhausted: found.isExhausted || advice?.wasDear === true,
    emptyReason: await reasonOf(ctx, viewer, found),
    suggestion: advice?.suggestion ?? null,
    builtAt: ctx.clock.now(),
  };
  await rows.upsertDeck(ctx.db, {
    viewer: viewer.memberId,
    sig: deck.mark,
    ids: [...deck.memberIds],
    exhausted: deck.isExhausted,
    empty_reason: deck.emptyReason,
    suggestion: deck.suggestion,
    built_at: deck.builtAt,
  });
  return deck;
}

async function reasonOf(ctx: AppContext, viewer: Viewer, found: Search): Promise<NobodyLeft> {
  if (found.isAnybodyMatching) return "all_seen";
  return (await isAnybodyInRange(ctx, viewer)) ? "filters_too_narrow" : "nobody_in_range";
}

/**
 * Takes the first of a deck whom every rule still admits: not judged, not blocked either way, not suspended, not
 * moved, not of another filter since. A stale deck can cost rank, never show the wrong person.
 */
async function serve(
  ctx: AppContext,
  viewer: Viewer,
  memberIds: readonly number[],
  { wanted, without }: { wanted: number; without: ReadonlySet<number> },
): Promise<Person[]> {
  const left = [...new Set(memberIds)].filter(
    (memberId) => memberId !== viewer.memberId && !without.has(memberId),
  );
  const kept = await keep(ctx.db, viewer.memberId, left, passesSince(ctx));
  const day = utcDay(ctx.clock.now());
  const served: Person[] = [];
  for (let from = 0; from < kept.length && served.length < wanted;) {
    const some = kept.slice(from, from + wanted - served.length + SPARE);
    from += some.length;
    const people = await loadPeople(ctx, some);
    for (const memberId of some) {
      const person = people.get(memberId);
      if (person?.accountStatus === "active" && areMutual(viewer, person, day)) served.push(person);
    }
  }
  return served.slice(0, wanted);
}
