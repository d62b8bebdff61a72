import type { FilterSuggestion } from "@alcove/contract/discovery";
import { HOUR_MS, SECOND_MS, utcDay } from "../platform/clock.ts";
import type { Deps } from "../platform/context.ts";
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
  readonly nos: readonly number[];
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
  deps: Deps,
  viewer: Viewer,
  { wanted, without }: { wanted: number; without: ReadonlySet<number> },
): Promise<Candidates> {
  const deck = usable(deps, viewer);
  if (deck) {
    const likers = await readLikers(deps.db, viewer.no, { since: deck.builtAt, limit: NEW_LIKERS });
    const people = await serve(deps, viewer, [...likers, ...deck.nos], { wanted, without });
    // One that has just run out is built once more: an empty one knows why it is empty, and what would help.
    const hasRunOut = people.length === 0 && without.size === 0 && deck.nos.length > 0;
    if (people.length >= wanted || (isResting(deps, deck) && !hasRunOut)) {
      return { people, emptyReason: deck.emptyReason, suggestion: deck.suggestion };
    }
  }
  const built = await build(deps, viewer, without.size);
  const people = await serve(deps, viewer, built.nos, { wanted, without });
  return { people, emptyReason: built.emptyReason, suggestion: built.suggestion };
}

function usable(deps: Deps, { deck, isPaid, ...viewer }: Viewer): Deck | null {
  if (!deck || deck.mark !== markOf(viewer)) return null;
  const age = deps.clock.now().getTime() - deck.builtAt.getTime();
  return age >= 0 && age < (isPaid ? LIFE_MS.paid : LIFE_MS.free) ? deck : null;
}

function isResting(deps: Deps, deck: Deck): boolean {
  return deck.isExhausted && deps.clock.now().getTime() - deck.builtAt.getTime() < REST_MS;
}

async function build(deps: Deps, viewer: Viewer, spare: number): Promise<Deck> {
  const found = await search(deps, viewer, DECK_SIZE + spare);
  const advice = found.nos.length === 0 ? await suggest(deps, viewer) : null;
  const deck = {
    nos: found.nos,
    mark: markOf(viewer),
    isExhausted: found.isExhausted || advice?.wasDear === true,
    emptyReason: await reasonOf(deps, viewer, found),
    suggestion: advice?.suggestion ?? null,
    builtAt: deps.clock.now(),
  };
  await rows.upsertDeck(deps.db, {
    viewer: viewer.no,
    sig: deck.mark,
    ids: [...deck.nos],
    exhausted: deck.isExhausted,
    empty_reason: deck.emptyReason,
    suggestion: deck.suggestion,
    built_at: deck.builtAt,
  });
  return deck;
}

async function reasonOf(deps: Deps, viewer: Viewer, found: Search): Promise<NobodyLeft> {
  if (found.isAnybodyMatching) return "all_seen";
  return (await isAnybodyInRange(deps, viewer)) ? "filters_too_narrow" : "nobody_in_range";
}

/**
 * Takes the first of a deck whom every rule still admits: not judged, not blocked either way, not suspended, not
 * moved, not of another filter since. A stale deck can cost rank, never show the wrong person.
 */
async function serve(
  deps: Deps,
  viewer: Viewer,
  nos: readonly number[],
  { wanted, without }: { wanted: number; without: ReadonlySet<number> },
): Promise<Person[]> {
  const left = [...new Set(nos)].filter((no) => no !== viewer.no && !without.has(no));
  const kept = await keep(deps.db, viewer.no, left, passesSince(deps));
  const day = utcDay(deps.clock.now());
  const served: Person[] = [];
  for (let from = 0; from < kept.length && served.length < wanted;) {
    const some = kept.slice(from, from + wanted - served.length + SPARE);
    from += some.length;
    const people = await loadPeople(deps, some);
    for (const no of some) {
      const person = people.get(no);
      if (person?.standing === "active" && areMutual(viewer, person, day)) served.push(person);
    }
  }
  return served.slice(0, wanted);
}
