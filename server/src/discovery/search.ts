import pg from "pg";
import { ageOn } from "@alcove/contract/fields";
import { utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { countsOf } from "./cell-counts.ts";
import { FAR, regionOfParent, vectorOf } from "./cells.ts";
import { chordSquaredOf } from "./distance.ts";
import { passesSince } from "./verdict-lock.ts";
import { activeDay } from "./search-index.ts";
import { inOrder, MOST_WAITING_COUNTED } from "./ranking.ts";
import {
  ABSENCE_STEPS_DAYS,
  ABSENCE_WEIGHT,
  byRegion,
  type Count,
  DISTANCE_STEPS_KM,
  DISTANCE_WEIGHT,
  isSmall,
  planProbes,
  sexBits,
  type Stage,
  type TouchedCell,
  touchedCells,
} from "./plan.ts";
import { birthDates, hashOf, reachOf, SEX_BIT } from "./mutual-filter.ts";
import * as rows from "./search.sql.ts";
import type { Viewer } from "./viewer.ts";

/** So many times what is asked for is found and the best taken: else a crowd's favourites could not be passed over. */
const CHOICE = 2;
const TURNS = 1_000_003;
/** The exact statement reads few first, for whoever has judged nobody yet, and then as many as it was chosen for. */
const SMALL_PAGES = [256, 4_096] as const;
/** A page of probes grows while all that it brings has been judged before. */
const PROBE_PAGES = [128, 512, 4_096, 32_768] as const;

export interface Search {
  /** Who may be shown, the best first. */
  readonly memberIds: readonly number[];
  /** Whether anybody matched at all, judged or not; the blocked count as nobody. */
  readonly isAnybodyMatching: boolean;
  /** The search was a dear one, and has read all that there was or was ended for its time. */
  readonly isExhausted: boolean;
}

/**
 * Searches the candidates of a viewer: those who liked it first, then near and lately active ones.
 *
 * In two steps, so that each statement stays within one shard: the regions say who matches, the viewer's own shard
 * drops whom it has judged or who is blocked either way.
 */
export async function search(ctx: AppContext, viewer: Viewer, size: number): Promise<Search> {
  const run = new Run(ctx, viewer, CHOICE * size);
  const likers = await run.findLikers();
  const touched = touchedCells(viewer);
  const isExhausted = await run.findNear(touched, await countsOf(ctx, placesOf(touched).regions));
  if (run.timeout && run.kept.size === 0) throw run.timeout; // that nobody is left was not seen
  const near = [...run.kept.values()];
  const memberIds = near.map(({ memberId }) => memberId);
  const waiting = await rows.countWaiting(ctx.searchDb, memberIds, MOST_WAITING_COUNTED);
  return {
    memberIds: inOrder(viewer.memberId, activeDay(ctx.clock.now()), { likers, near, waiting }).slice(0, size),
    isAnybodyMatching: run.hasMatching || (await run.isAnybodyUnblocked()),
    isExhausted,
  };
}

/**
 * Counts, up to `most`, who may be shown to a viewer: the same search, for its number alone.
 *
 * @returns also whether it was a dear one: by probes, or ended for its time
 */
export async function countCandidates(
  ctx: AppContext,
  viewer: Viewer,
  most: number,
): Promise<{ found: number; isDear: boolean }> {
  const run = new Run(ctx, viewer, most);
  const touched = touchedCells(viewer);
  const count = await countsOf(ctx, placesOf(touched).regions);
  await run.findNear(touched, count);
  const isDear = run.timeout !== null || !isSmall(viewer, touched, count);
  return { found: Math.min(run.kept.size, most), isDear };
}

/** Whether anybody at all, whom the viewer could know of, is within its range. */
export async function isAnybodyInRange(ctx: AppContext, viewer: Viewer): Promise<boolean> {
  const wanted = wantedBy(viewer, utcDay(ctx.clock.now()));
  const memberIds = await rows.readAnybody(ctx.searchDb, wanted, {
    ...placesOf(touchedCells(viewer)),
    limit: 1_000,
  });
  return (await rows.keepUnblocked(ctx.db, viewer.memberId, memberIds)).length > 0;
}

/** One search: what was found so far, and how to find more. */
class Run {
  /** Matches that may be shown, in the order of their finding. */
  readonly kept = new Map<number, rows.Found>();
  hasMatching = false;
  /** Set when a statement took too long: what was found until then is what is shown. */
  timeout: unknown = null;
  readonly #dropped: number[] = [];
  readonly #seen = new Set<number>();
  readonly #ctx: AppContext;
  readonly #viewer: Viewer;
  readonly #wanted: rows.Wanted;
  readonly #size: number;
  /** Another one for each viewer and day, the same all day. */
  readonly #seed: number;

  constructor(ctx: AppContext, viewer: Viewer, size: number) {
    this.#ctx = ctx;
    this.#viewer = viewer;
    this.#wanted = wantedBy(viewer, utcDay(ctx.clock.now()));
    this.#size = size;
    this.#seed = hashOf(`${viewer.memberId},${activeDay(ctx.clock.now())}`);
  }

  /** Those of the latest who liked the viewer who match. */
  async findLikers(): Promise<rows.Found[]> {
    const { memberId } = this.#viewer;
    const newest = await rows.readLikers(this.#ctx.searchDb, memberId, { since: null, limit: 200 });
    const memberIds = await rows.keep(this.#ctx.searchDb, memberId, newest, passesSince(this.#ctx));
    if (memberIds.length === 0) return [];
    const regions = await rows.readRegions(this.#ctx.searchDb, memberIds);
    const sexes = sexBits(this.#viewer.filter.sex);
    return rows.readMatching(this.#ctx.searchDb, this.#wanted, { regions, memberIds, sexes });
  }

  /** Fills `kept`; true when a dear search has read all that there was, or was ended for its time. */
  async findNear(touched: readonly TouchedCell[], count: Count): Promise<boolean> {
    try {
      if (isSmall(this.#viewer, touched, count) && (await this.#readSmall(touched))) return false;
      const today = activeDay(this.#ctx.clock.now());
      const turn = (this.#seed % TURNS) / TURNS;
      for (const stage of planProbes(this.#viewer, touched, count, { today, turn })) {
        if (await this.#walk(stage)) return false;
      }
      return true;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      this.#ctx.log.warn("a search was ended for the time it took");
      this.timeout = error;
      return true;
    }
  }

  /** True when the viewer's few matches were all read, or enough of them. */
  async #readSmall(touched: readonly TouchedCell[]): Promise<boolean> {
    const today = activeDay(this.#ctx.clock.now());
    for (const limit of SMALL_PAGES) {
      const where = { ...placesOf(touched), sexes: sexBits(this.#viewer.filter.sex), limit };
      const found = await rows.readSmall(this.#ctx.searchDb, this.#wanted, where, {
        absenceDays: ABSENCE_STEPS_DAYS.map((days) => today - days),
        chordsSquared: DISTANCE_STEPS_KM.map(chordSquaredOf),
        weights: [ABSENCE_WEIGHT, DISTANCE_WEIGHT],
        seed: this.#seed,
      });
      await this.#keep(found);
      if (found.length < limit || this.#isEnough()) return true;
    }
    return false;
  }

  /** Walks a stage's probes in order, page by page; true when enough were found. */
  async #walk(stage: Stage): Promise<boolean> {
    const waiting = byRegion(stage);
    for (const limit of PROBE_PAGES) {
      const page: { found: rows.Found; ordinal: number }[] = [];
      for (const [region, probes] of waiting) {
        const found = await rows.walkProbes(this.#ctx.searchDb, this.#wanted, {
          level: stage.level,
          region,
          probes: probes.map(({ probe }) => probe),
          limit,
        });
        page.push(...found.map((one) => ({ found: one, ordinal: probes[one.ordinal]!.ordinal })));
        // The last probe of a full page may hold more: it is looked into again, with a greater page.
        const last = found.length === limit ? found.at(-1)!.ordinal : probes.length;
        if (last === probes.length) waiting.delete(region);
        else waiting.set(region, probes.slice(last));
      }
      await this.#keep(page.toSorted((a, b) => a.ordinal - b.ordinal).map(({ found }) => found));
      if (this.#isEnough()) return true;
      if (waiting.size === 0) return false;
    }
    return false;
  }

  async #keep(found: readonly rows.Found[]): Promise<void> {
    const fresh = found.filter(({ memberId }) => !this.#seen.has(memberId));
    for (const { memberId } of fresh) this.#seen.add(memberId);
    const memberIds = fresh.map(({ memberId }) => memberId);
    const kept = new Set(
      await rows.keep(this.#ctx.searchDb, this.#viewer.memberId, memberIds, passesSince(this.#ctx)),
    );
    if (kept.size > 0) this.hasMatching = true;
    for (const one of fresh) {
      if (!kept.has(one.memberId)) this.#dropped.push(one.memberId);
      else this.kept.set(one.memberId, one);
    }
  }

  #isEnough(): boolean {
    return this.kept.size >= this.#size;
  }

  /** Of those who match and were dropped, whether anybody was judged and not blocked. */
  async isAnybodyUnblocked(): Promise<boolean> {
    return (await rows.keepUnblocked(this.#ctx.searchDb, this.#viewer.memberId, this.#dropped)).length > 0;
  }
}

function wantedBy(viewer: Viewer, day: string): rows.Wanted {
  const { filter } = viewer;
  const born = birthDates(day, filter.minAge, filter.maxAge);
  const reach = reachOf(filter);
  return {
    memberId: viewer.memberId,
    sexBit: SEX_BIT[viewer.sex],
    age: ageOn(day, viewer.dateOfBirth),
    bornFrom: born.from,
    bornTo: born.to,
    vector: vectorOf(viewer.cell),
    minChordSquared: reach.min,
    maxChordSquared: reach.max,
  };
}

function placesOf(touched: readonly TouchedCell[]): { regions: number[]; cells: number[] } {
  const cells = touched.map(({ cell }) => cell);
  return { cells, regions: [...new Set(cells.map((cell) => regionOfParent(cell, FAR)))] };
}

const QUERY_CANCELED = "57014";
const isTimeout = (error: unknown) => error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
