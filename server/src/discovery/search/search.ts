import pg from "pg";
import { ageOn } from "@alcove/contract/fields";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { FAR, regionOfParent, vectorOf } from "../position/cells.ts";
import { chordSquaredOf } from "../position/distance.ts";
import { passesSince } from "../verdict-lock.ts";
import { loadCellCounts } from "./cell-counts.ts";
import { birthDates, chordRangeOf, hashOf, SEX_BIT } from "./mutual-filter.ts";
import {
  ABSENCE_STEPS_DAYS,
  ABSENCE_WEIGHT,
  byRegion,
  type CellCount,
  DISTANCE_STEPS_KM,
  DISTANCE_WEIGHT,
  isSmallArea,
  planProbes,
  sexBits,
  type Stage,
  type TouchedCell,
  touchedCells,
} from "./plan.ts";
import { MAX_COUNTED_LIKES, rankCandidates } from "./ranking.ts";
import { activeDay } from "./search-index.ts";
import * as rows from "./search.sql.ts";
import type { Viewer } from "./viewer.ts";

/** Finds more than requested, so that popular members can rank later. */
const OVERFETCH = 2;
const OFFSET_STEPS = 1_000_003;
const SMALL_AREA_PAGES = [256, 4_096] as const;
/** A page of probes grows while the viewer has seen everyone in it. */
const PROBE_PAGES = [128, 512, 4_096, 32_768] as const;

export interface SearchResult {
  readonly memberIds: readonly number[];
  /** Counts seen members, but no hidden ones. */
  readonly hasMatching: boolean;
  /** An expensive search has read everyone or timed out. */
  readonly isExhausted: boolean;
}

/**
 * Finds a viewer's candidates: likers first, then near and recently active members.
 *
 * Two steps keep each statement within one shard: regions return matching members, the viewer's shard drops seen ones.
 */
export async function search(ctx: AppContext, viewer: Viewer, size: number): Promise<SearchResult> {
  const run = new SearchRun(ctx, viewer, OVERFETCH * size);
  const likers = await run.findLikers();
  const touched = touchedCells(viewer);
  const isExhausted = await run.findMatching(touched, await loadCellCounts(ctx, areaOf(touched).regions));
  if (run.timeout && run.unseen.size === 0) throw run.timeout; // an empty result would claim that nobody is left
  const matching = [...run.unseen.values()];
  const memberIds = matching.map(({ memberId }) => memberId);
  const unansweredLikes = await rows.countUnansweredLikes(ctx.searchDb, memberIds, MAX_COUNTED_LIKES);
  const today = activeDay(ctx.clock.now());
  return {
    memberIds: rankCandidates(viewer.memberId, today, { likers, matching, unansweredLikes }).slice(0, size),
    hasMatching: run.hasUnseen || (await run.hasVisible()),
    isExhausted,
  };
}

/** `isExpensive`: the search used probes or timed out. */
export async function countCandidates(
  ctx: AppContext,
  viewer: Viewer,
  limit: number,
): Promise<{ found: number; isExpensive: boolean }> {
  const run = new SearchRun(ctx, viewer, limit);
  const touched = touchedCells(viewer);
  const count = await loadCellCounts(ctx, areaOf(touched).regions);
  await run.findMatching(touched, count);
  const isExpensive = run.timeout !== null || !isSmallArea(viewer, touched, count);
  return { found: Math.min(run.unseen.size, limit), isExpensive };
}

/** Regardless of age and sex. */
export async function hasMembersInRange(ctx: AppContext, viewer: Viewer): Promise<boolean> {
  const criteria = criteriaOf(viewer, utcDay(ctx.clock.now()));
  const memberIds = await rows.readInRange(ctx.searchDb, criteria, {
    ...areaOf(touchedCells(viewer)),
    limit: 1_000,
  });
  return (await rows.dropHidden(ctx.db, viewer.memberId, memberIds)).length > 0;
}

class SearchRun {
  /** In the order found. */
  readonly unseen = new Map<number, rows.FoundMember>();
  hasUnseen = false;
  timeout: unknown = null;
  readonly #dropped: number[] = [];
  readonly #found = new Set<number>();
  readonly #ctx: AppContext;
  readonly #viewer: Viewer;
  readonly #criteria: rows.Criteria;
  readonly #size: number;
  /** Differs for each viewer and day. */
  readonly #seed: number;

  constructor(ctx: AppContext, viewer: Viewer, size: number) {
    this.#ctx = ctx;
    this.#viewer = viewer;
    this.#criteria = criteriaOf(viewer, utcDay(ctx.clock.now()));
    this.#size = size;
    this.#seed = hashOf(`${viewer.memberId},${activeDay(ctx.clock.now())}`);
  }

  async findLikers(): Promise<rows.FoundMember[]> {
    const { memberId } = this.#viewer;
    const newest = await rows.readLikers(this.#ctx.searchDb, memberId, { since: null, limit: 200 });
    const memberIds = await rows.dropSeen(this.#ctx.searchDb, memberId, newest, passesSince(this.#ctx));
    if (memberIds.length === 0) return [];
    const regions = await rows.readRegions(this.#ctx.searchDb, memberIds);
    const sexes = sexBits(this.#viewer.filter.sex);
    return rows.readMatching(this.#ctx.searchDb, this.#criteria, { regions, memberIds, sexes });
  }

  /** Returns true if an expensive search has read everyone or timed out. */
  async findMatching(touched: readonly TouchedCell[], count: CellCount): Promise<boolean> {
    try {
      if (isSmallArea(this.#viewer, touched, count) && (await this.#readSmallArea(touched))) return false;
      const today = activeDay(this.#ctx.clock.now());
      const offset = (this.#seed % OFFSET_STEPS) / OFFSET_STEPS;
      for (const stage of planProbes(this.#viewer, touched, count, { today, offset })) {
        if (await this.#readStage(stage)) return false;
      }
      return true;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      this.#ctx.log.warn("search timed out");
      this.timeout = error;
      return true;
    }
  }

  async #readSmallArea(touched: readonly TouchedCell[]): Promise<boolean> {
    const today = activeDay(this.#ctx.clock.now());
    for (const limit of SMALL_AREA_PAGES) {
      const area = { ...areaOf(touched), sexes: sexBits(this.#viewer.filter.sex), limit };
      const found = await rows.readSmallArea(this.#ctx.searchDb, this.#criteria, area, {
        absenceDays: ABSENCE_STEPS_DAYS.map((days) => today - days),
        chordsSquared: DISTANCE_STEPS_KM.map(chordSquaredOf),
        weights: [ABSENCE_WEIGHT, DISTANCE_WEIGHT],
        seed: this.#seed,
      });
      await this.#add(found);
      if (found.length < limit || this.#isEnough()) return true;
    }
    return false;
  }

  async #readStage(stage: Stage): Promise<boolean> {
    const pending = byRegion(stage);
    for (const limit of PROBE_PAGES) {
      const page: { found: rows.FoundMember; ordinal: number }[] = [];
      for (const [region, probes] of pending) {
        const found = await rows.readProbes(this.#ctx.searchDb, this.#criteria, {
          level: stage.level,
          region,
          probes: probes.map(({ probe }) => probe),
          limit,
        });
        page.push(...found.map((one) => ({ found: one, ordinal: probes[one.ordinal]!.ordinal })));
        // The last probe of a full page may hold more members.
        const last = found.length === limit ? found.at(-1)!.ordinal : probes.length;
        if (last === probes.length) pending.delete(region);
        else pending.set(region, probes.slice(last));
      }
      await this.#add(page.toSorted((a, b) => a.ordinal - b.ordinal).map(({ found }) => found));
      if (this.#isEnough()) return true;
      if (pending.size === 0) return false;
    }
    return false;
  }

  async #add(found: readonly rows.FoundMember[]): Promise<void> {
    const fresh = found.filter(({ memberId }) => !this.#found.has(memberId));
    for (const { memberId } of fresh) this.#found.add(memberId);
    const memberIds = fresh.map(({ memberId }) => memberId);
    const unseen = new Set(
      await rows.dropSeen(this.#ctx.searchDb, this.#viewer.memberId, memberIds, passesSince(this.#ctx)),
    );
    if (unseen.size > 0) this.hasUnseen = true;
    for (const one of fresh) {
      if (!unseen.has(one.memberId)) this.#dropped.push(one.memberId);
      else this.unseen.set(one.memberId, one);
    }
  }

  #isEnough(): boolean {
    return this.unseen.size >= this.#size;
  }

  async hasVisible(): Promise<boolean> {
    return (await rows.dropHidden(this.#ctx.searchDb, this.#viewer.memberId, this.#dropped)).length > 0;
  }
}

function criteriaOf(viewer: Viewer, day: string): rows.Criteria {
  const { filter } = viewer;
  const born = birthDates(day, filter.minAge, filter.maxAge);
  const range = chordRangeOf(filter);
  return {
    memberId: viewer.memberId,
    sexBit: SEX_BIT[viewer.sex],
    age: ageOn(day, viewer.dateOfBirth),
    bornFrom: born.from,
    bornTo: born.to,
    vector: vectorOf(viewer.cell),
    minChordSquared: range.min,
    maxChordSquared: range.max,
  };
}

function areaOf(touched: readonly TouchedCell[]): { regions: number[]; cells: number[] } {
  const cells = touched.map(({ cell }) => cell);
  return { cells, regions: [...new Set(cells.map((cell) => regionOfParent(cell, FAR)))] };
}

const QUERY_CANCELED = "57014";
const isTimeout = (error: unknown) => error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
