import { floorTo, HOUR_MS, SECOND_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Db } from "../../platform/db/database.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import type { Person } from "../../profiles/index.ts";
import { loadShown } from "../load-shown.ts";
import * as rows from "./deck.sql.ts";
import { countNewFaces, passesSince } from "../quotas.ts";
import { areMutual, fingerprintOf } from "../search/mutual-filter.ts";
import { hasMembersInRange, type SearchResult, search } from "../search/search.ts";
import { dropSeen, readLikersAndDropSeen } from "../search/search.sql.ts";
import { suggestFilterChange, type Suggestion } from "./suggestion.ts";
import type { Viewer } from "../search/viewer.ts";

export type EmptyReason = "nobody_in_range" | "all_seen" | "filters_too_narrow";

export interface Deck {
  readonly memberIds: readonly number[];
  /** Empty for free members, whose cards `quota_days` stores. */
  readonly dealt: readonly number[];
  /** Another fingerprint of the viewer requires a new deck. */
  readonly fingerprint: number;
  readonly emptyReason: EmptyReason;
  readonly suggestion: Suggestion | null;
  readonly newestLikeNo: number;
  readonly builtAt: Date;
  readonly rev: number;
}

export interface Candidates {
  readonly people: readonly Person[];
  readonly areFacesUsedUp: boolean;
  readonly emptyReason: EmptyReason;
  readonly suggestion: Suggestion | null;
}

/** A search for 60 costs hardly more than one for 10. */
const DECK_SIZE = 60;
const MAX_AGE_MS = { paid: 6 * HOUR_MS, free: 24 * HOUR_MS } as const;
const EXHAUSTED_PAUSE_MS = 30 * SECOND_MS;
const NEW_LIKERS = 10;
const SPARE = 2;
const DEALT_KEPT = 120;

export async function nextCandidates(
  ctx: AppContext,
  viewer: Viewer,
  { count, excluded }: { count: number; excluded: ReadonlySet<number> },
): Promise<Candidates> {
  const deck = usableDeck(ctx, viewer);
  if (deck) {
    const unseen = await readUnseen(ctx, viewer, deck);
    const people = await serveCandidates(ctx, viewer, unseen, { count, excluded });
    // Rebuilds a finished deck once, because an empty deck stores its reason and a suggestion.
    const isUsedUp = people.length === 0 && excluded.size === 0 && deck.memberIds.length > 0;
    if (people.length >= count || (isPaused(ctx, viewer) && !isUsedUp)) {
      const { dealt, ...admitted } = await deal(ctx, viewer, people);
      if (dealt !== deck.dealt) await rows.updateDealt(ctx.db, viewer.memberId, deck.rev, dealt);
      return { ...admitted, emptyReason: deck.emptyReason, suggestion: deck.suggestion };
    }
  }
  const built = await buildDeck(ctx, viewer, excluded.size);
  const unseen = await dropSeen(ctx.db, viewer.memberId, built.memberIds, passesSince(ctx));
  const people = await serveCandidates(ctx, viewer, unseen, { count, excluded });
  const { dealt, ...admitted } = await deal(ctx, viewer, people);
  await storeDeck(ctx, viewer, { ...built, dealt });
  return { ...admitted, emptyReason: built.emptyReason, suggestion: built.suggestion };
}

async function readUnseen(ctx: AppContext, { memberId }: Viewer, deck: Deck): Promise<readonly number[]> {
  const { likers, unseen } = await readLikersAndDropSeen(ctx.db, memberId, {
    page: { after: deck.newestLikeNo, limit: NEW_LIKERS },
    memberIds: deck.memberIds,
    passesSince: passesSince(ctx),
  });
  const newLikers = likers.map(({ actor }) => actor);
  return [...(await dropSeen(ctx.db, memberId, newLikers, passesSince(ctx))), ...unseen];
}

/** Leaves out the new faces beyond those of a paid member's day. */
async function deal(
  ctx: AppContext,
  { memberId, isPaid, deck }: Viewer,
  people: readonly Person[],
): Promise<Pick<Candidates, "people" | "areFacesUsedUp"> & { dealt: readonly number[] }> {
  const dealt = deck?.dealt ?? [];
  const isNew = (person: Person) => !dealt.includes(person.memberId);
  const fresh = isPaid ? people.filter(isNew) : [];
  if (fresh.length === 0) return { people, dealt, areFacesUsedUp: false };
  const admitted = fresh.slice(0, await countNewFaces(ctx, memberId, fresh.length));
  return {
    people: people.filter((person) => !isNew(person) || admitted.includes(person)),
    dealt: [...dealt, ...admitted.map((person) => person.memberId)].slice(-DEALT_KEPT),
    areFacesUsedUp: admitted.length < fresh.length,
  };
}

function usableDeck(ctx: AppContext, { deck, isPaid, ...viewer }: Viewer): Deck | null {
  if (!deck || deck.fingerprint !== fingerprintOf(viewer)) return null;
  const age = ctx.clock.now().getTime() - deck.builtAt.getTime();
  return age >= 0 && age < (isPaid ? MAX_AGE_MS.paid : MAX_AGE_MS.free) ? deck : null;
}

/** In memory, because a deck stores no time finer than an hour. */
const exhaustedAt = new WeakMap<Db, BoundedCache<number, number>>();

function isPaused({ db, clock }: AppContext, { memberId }: Viewer): boolean {
  const at = exhaustedAt.get(db)?.get(memberId);
  const age = clock.now().getTime() - (at ?? -Infinity);
  return age >= 0 && age < EXHAUSTED_PAUSE_MS;
}

function pause({ db, clock }: AppContext, { memberId }: Viewer): void {
  const times = exhaustedAt.get(db) ?? new BoundedCache();
  exhaustedAt.set(db, times);
  times.set(memberId, clock.now().getTime());
}

async function buildDeck(
  ctx: AppContext,
  viewer: Viewer,
  spare: number,
): Promise<Omit<Deck, "dealt" | "rev">> {
  const found = await search(ctx, viewer, DECK_SIZE + spare);
  const advised = found.memberIds.length === 0 ? await suggestFilterChange(ctx, viewer) : null;
  if (found.isExhausted || advised?.wasExpensive) pause(ctx, viewer);
  return {
    memberIds: found.memberIds,
    fingerprint: fingerprintOf(viewer),
    emptyReason: await emptyReasonOf(ctx, viewer, found),
    suggestion: advised?.suggestion ?? null,
    newestLikeNo: found.newestLikeNo,
    builtAt: floorTo(ctx.clock.now(), HOUR_MS),
  };
}

async function storeDeck(ctx: AppContext, viewer: Viewer, deck: Omit<Deck, "rev">): Promise<void> {
  await rows.upsertDeck(ctx.db, {
    viewer: viewer.memberId,
    fingerprint: deck.fingerprint,
    ids: [...deck.memberIds],
    dealt: [...deck.dealt],
    empty_reason: deck.emptyReason,
    suggestion: deck.suggestion?.change ?? null,
    suggested_max_range: deck.suggestion?.maxRange ?? null,
    newest_like_no: deck.newestLikeNo,
    built_at: deck.builtAt,
  });
}

async function emptyReasonOf(ctx: AppContext, viewer: Viewer, found: SearchResult): Promise<EmptyReason> {
  if (found.hasMatching) return "all_seen";
  return (await hasMembersInRange(ctx, viewer)) ? "filters_too_narrow" : "nobody_in_range";
}

/** Checks again who is a candidate: a stale deck affects only the rank. */
async function serveCandidates(
  ctx: AppContext,
  viewer: Viewer,
  unseen: readonly number[],
  { count, excluded }: { count: number; excluded: ReadonlySet<number> },
): Promise<Person[]> {
  const remaining = [...new Set(unseen)].filter(
    (memberId) => memberId !== viewer.memberId && !excluded.has(memberId),
  );
  const day = utcDay(ctx.clock.now());
  const served: Person[] = [];
  for (let from = 0; from < remaining.length && served.length < count;) {
    const page = remaining.slice(from, from + count - served.length + SPARE);
    from += page.length;
    const people = await loadShown(ctx, viewer, page);
    for (const memberId of page) {
      const person = people.get(memberId);
      if (person && areMutual(ctx, viewer, person, day)) served.push(person);
    }
  }
  return served.slice(0, count);
}
