import { CANDIDATE_DAYS } from "@alcove/contract/limits";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { isTimeout } from "../../platform/db/errors.ts";
import { FAR, regionOfParent } from "../position/cells.ts";
import { chordSquaredOf } from "../position/distance.ts";
import { placeOf } from "../position/places.ts";
import type { Area } from "../../platform/lib/area-cells.ts";
import { areasOf, isInAreas } from "../../profiles/index.ts";
import { readHiddenFrom } from "../../safety/index.ts";
import { passesSince } from "../quotas.ts";
import { loadCellCounts } from "./cell-counts.ts";
import {
  agesOfMonth,
  birthMonthsOf,
  chordRangeOf,
  hashOf,
  ONLY_LIKED_SHIFT,
  SEX_BIT,
} from "./mutual-filter.ts";
import {
  ABSENCE_STEPS_DAYS,
  ABSENCE_WEIGHT,
  byRegion,
  type CellCount,
  DISTANCE_STEPS_KM,
  DISTANCE_WEIGHT,
  isSmallArea,
  planProbes,
  type PlacedFilter,
  sexBits,
  type Stage,
  type TouchedCell,
  touchedCells,
} from "./plan.ts";
import { freshSince, HERE_DAYS } from "./chances.ts";
import { countFreshMatches } from "./order-inputs.sql.ts";
import { rankCandidates } from "./ranking.ts";
import { activeDay } from "./search-index.ts";
import * as rows from "./search.sql.ts";
import { MAX_CHECKED, UncertainMembers } from "./uncertain-members.ts";
import type { Viewer } from "./viewer.ts";

/** Popular members rank later among more members than requested. */
const OVERFETCH = 2;
/** Serving checks the exact ages of so few without another statement. */
const MAX_UNCERTAIN_SHARE = 0.25;
const OFFSET_STEPS = 1_000_003;
/** Members who are here and unseen for so many days are found first in a small area. */
const UNSEEN_FIRST_DAYS = 3;
const SMALL_AREA_PAGES = [256, 4_096] as const;
const MANY_SEEN = 64;
const FEW_DROPPED = 4;
/** A page of probes grows while the viewer has seen everyone in it. */
const PROBE_PAGES = [128, 512, 4_096, 32_768] as const;

export interface SearchResult {
  readonly memberIds: readonly number[];
  readonly hasMatching: boolean;
  readonly isExhausted: boolean;
  readonly newestLikeNo: number;
}

/**
 * Two steps keep each statement within one shard: regions return matching members, the viewer's shard drops seen ones.
 * Statements know months of birth only, so the exact age of a few results may not suit.
 */
export async function search(ctx: AppContext, viewer: Viewer, size: number): Promise<SearchResult> {
  const run = await startSearch(ctx, viewer, { found: OVERFETCH * size, certain: size });
  const since = freshSince(ctx.clock.now());
  const [freshMatches] = await Promise.all([
    countFreshMatches(ctx.searchDb, viewer.memberId, since),
    run.findLikers(),
  ]);
  const touched = touchedCells(run.placed);
  const isExhausted = await run.findMatching(touched, await loadCellCounts(ctx, areaOf(touched).regions));
  const rankBest = () => {
    const found = { likers: run.likers, matching: [...run.unseen.values()] };
    const { memberId } = viewer;
    return rankCandidates({ memberId, freshMatches }, activeDay(ctx.clock.now()), found).slice(0, size);
  };
  let memberIds = rankBest();
  if (run.uncertain.count(memberIds) > MAX_UNCERTAIN_SHARE * memberIds.length) {
    await run.dropUnsuitable();
    memberIds = rankBest();
  }
  if (run.timeout && memberIds.length === 0) throw run.timeout;
  return {
    memberIds,
    hasMatching: memberIds.length > 0 || (await run.hasSeenMatching()),
    isExhausted,
    newestLikeNo: run.newestLikeNo,
  };
}

/** Leaves out those whom only a like of theirs would show. */
export async function findUnseen(
  ctx: AppContext,
  viewer: Viewer,
  limit: number,
): Promise<{ memberIds: readonly number[]; isExpensive: boolean }> {
  const run = await startSearch(ctx, viewer, { found: limit, certain: limit });
  const touched = touchedCells(run.placed);
  const count = await loadCellCounts(ctx, areaOf(touched).regions);
  await run.findMatching(touched, count);
  await run.dropUnsuitable();
  const isExpensive = run.timeout !== null || !isSmallArea(run.placed, touched, count);
  return { memberIds: [...run.unseen.keys()].slice(0, limit), isExpensive };
}

export async function hasMembersInRange(ctx: AppContext, viewer: Viewer): Promise<boolean> {
  const placed = placedFilterOf(ctx, viewer);
  const criteria = criteriaOf(viewer, placed, ctx.clock.now());
  const memberIds = await rows.readInRange(ctx.searchDb, criteria, {
    ...areaOf(touchedCells(placed)),
    limit: 1_000,
  });
  return (await readHiddenFrom(ctx, viewer.memberId, memberIds)).size < memberIds.length;
}

interface Enough {
  readonly found: number;
  readonly certain: number;
}

async function startSearch(ctx: AppContext, viewer: Viewer, enough: Enough): Promise<SearchRun> {
  return new SearchRun(ctx, viewer, enough, viewer.hasAreas ? await areasOf(ctx, viewer.memberId) : []);
}

class SearchRun {
  likers: rows.FoundMember[] = [];
  readonly unseen = new Map<number, rows.FoundMember>();
  readonly uncertain: UncertainMembers;
  readonly placed: PlacedFilter;
  timeout: unknown = null;
  newestLikeNo = 0;
  readonly #dropped: number[] = [];
  #seen: string | null = null;
  readonly #found = new Set<number>();
  readonly #ctx: AppContext;
  readonly #viewer: Viewer;
  readonly #criteria: rows.Criteria;
  readonly #enough: Enough;
  readonly #ownAreas: readonly Area[];
  /** Differs for each viewer and day. */
  readonly #seed: number;

  constructor(ctx: AppContext, viewer: Viewer, enough: Enough, ownAreas: readonly Area[]) {
    this.#ctx = ctx;
    this.#viewer = viewer;
    this.placed = placedFilterOf(ctx, viewer);
    this.#criteria = criteriaOf(viewer, this.placed, ctx.clock.now());
    this.#enough = enough;
    this.#ownAreas = ownAreas;
    this.uncertain = new UncertainMembers(ctx, viewer);
    this.#seed = hashOf(`${viewer.memberId},${activeDay(ctx.clock.now())}`);
  }

  async findLikers(): Promise<void> {
    const { memberId } = this.#viewer;
    const newest = await rows.readLikers(this.#ctx.searchDb, memberId, { after: null, limit: 200 });
    this.newestLikeNo = newest[0]?.sequence_no ?? 0;
    const likers = newest.map(({ actor }) => actor);
    const memberIds = await rows.dropSeen(this.#ctx.searchDb, memberId, likers, passesSince(this.#ctx));
    if (memberIds.length === 0) return;
    const regions = await rows.readRegions(this.#ctx.searchDb, memberIds);
    const sexes = sexBits(this.#viewer.filter.sex);
    const { sexBit } = this.#criteria;
    const criteria = { ...this.#criteria, sexBit: sexBit | (sexBit << ONLY_LIKED_SHIFT) };
    this.likers = await rows.readMatching(this.#ctx.searchDb, criteria, { regions, memberIds, sexes });
    this.uncertain.add(this.likers);
  }

  /** Returns true if an expensive search has read everyone, timed out, or checked as many as it may. */
  async findMatching(touched: readonly TouchedCell[], count: CellCount): Promise<boolean> {
    try {
      if (isSmallArea(this.placed, touched, count) && (await this.#readSmallArea(touched)))
        return this.uncertain.isSpent;
      const today = activeDay(this.#ctx.clock.now());
      const offset = (this.#seed % OFFSET_STEPS) / OFFSET_STEPS;
      for (const stage of planProbes(this.placed, touched, count, { today, offset })) {
        if (await this.#readStage(stage)) return this.uncertain.isSpent;
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
        unseen: { activeSince: today - HERE_DAYS, shownUntil: today - UNSEEN_FIRST_DAYS },
        absenceDays: ABSENCE_STEPS_DAYS.map((days) => today - days),
        chordsSquared: DISTANCE_STEPS_KM.map(chordSquaredOf),
        weights: [ABSENCE_WEIGHT, DISTANCE_WEIGHT],
        seed: this.#seed,
      });
      await this.#add(found);
      if (found.length < limit || (await this.#isEnough())) return true;
    }
    return false;
  }

  async #readStage(stage: Stage): Promise<boolean> {
    const pending = byRegion(stage);
    for (let size = 0; size < PROBE_PAGES.length; size++) {
      const limit = PROBE_PAGES[size]!;
      const page: { found: rows.FoundMember; ordinal: number }[] = [];
      for (const [region, probes] of pending) {
        const found = await rows.readProbes(this.#ctx.searchDb, this.#criteria, {
          level: stage.level,
          region,
          probes: probes.map(({ probe }) => probe),
          limit,
          seen: this.#seen,
        });
        page.push(...found.map((one) => ({ found: one, ordinal: probes[one.ordinal]!.ordinal })));
        const last = found.length === limit ? found.at(-1)!.ordinal : probes.length;
        if (last === probes.length) pending.delete(region);
        else pending.set(region, probes.slice(last));
      }
      await this.#add(page.toSorted((a, b) => a.ordinal - b.ordinal).map(({ found }) => found));
      if (await this.#isEnough()) return true;
      if (await this.#leaveOutSeen()) size = -1;
      if (pending.size === 0) return false;
    }
    return false;
  }

  /**
   * Waits until most found members were seen: one must explain an empty result (`hasSeenMatching`). Returns true if the
   * next pages leave out more.
   */
  async #leaveOutSeen(): Promise<boolean> {
    const seen = this.#dropped.length;
    if (this.#seen !== null || seen < MANY_SEEN || seen < this.unseen.size) return false;
    if (!(await this.hasSeenMatching())) return false;
    this.#seen = await rows.readSeen(this.#ctx.searchDb, this.#viewer.memberId, passesSince(this.#ctx));
    return true;
  }

  async #add(found: readonly rows.FoundMember[]): Promise<void> {
    // Without keys: in a crowded place, most people near a viewer with areas are inside of them.
    const fresh = found.filter(
      ({ memberId, cell }) => !this.#found.has(memberId) && !isInAreas(this.#ownAreas, cell),
    );
    for (const { memberId } of fresh) this.#found.add(memberId);
    const memberIds = fresh.map(({ memberId }) => memberId);
    const unseen = new Set(
      await rows.dropSeen(this.#ctx.searchDb, this.#viewer.memberId, memberIds, passesSince(this.#ctx)),
    );
    this.uncertain.add(fresh);
    for (const one of fresh) {
      if (!unseen.has(one.memberId)) this.#dropped.push(one.memberId);
      else this.unseen.set(one.memberId, one);
    }
  }

  async #isEnough(): Promise<boolean> {
    const { found, certain } = this.#enough;
    if (this.unseen.size < found) return false;
    if (this.unseen.size - this.uncertain.count(this.unseen.keys()) >= certain) return true;
    await this.dropUnsuitable();
    return this.unseen.size >= found || this.uncertain.isSpent;
  }

  async dropUnsuitable(): Promise<void> {
    const found = new Set([...this.likers.map(({ memberId }) => memberId), ...this.unseen.keys()]);
    const unsuitable = await this.uncertain.findUnsuitable([...found]);
    this.likers = this.likers.filter(({ memberId }) => !unsuitable.has(memberId));
    for (const memberId of unsuitable) this.unseen.delete(memberId);
  }

  /** One suffices, so a few are checked before the rest. */
  async hasSeenMatching(): Promise<boolean> {
    const dropped = this.#dropped.slice(0, MAX_CHECKED);
    for (const some of [dropped.slice(0, FEW_DROPPED), dropped.slice(FEW_DROPPED)])
      if (await this.#hasVisible(some)) return true;
    return false;
  }

  async #hasVisible(dropped: readonly number[]): Promise<boolean> {
    const hidden = await readHiddenFrom(this.#ctx, this.#viewer.memberId, dropped);
    const visible = dropped.filter((memberId) => !hidden.has(memberId));
    if (this.uncertain.count(visible) < visible.length) return true;
    return (await this.uncertain.findUnsuitable(visible)).size < visible.length;
  }
}

function placedFilterOf(ctx: AppContext, viewer: Viewer): PlacedFilter {
  return { place: placeOf(ctx, viewer), filter: viewer.filter };
}

function criteriaOf(viewer: Viewer, { place, filter }: PlacedFilter, now: Date): rows.Criteria {
  const range = chordRangeOf(filter);
  const day = utcDay(now);
  return {
    memberId: viewer.memberId,
    sexBit: SEX_BIT[viewer.sex],
    ages: agesOfMonth(viewer, day),
    birthMonths: birthMonthsOf(filter, day),
    vector: place.vector,
    minChordSquared: range.min,
    maxChordSquared: range.max,
    activeSince: activeDay(now) - CANDIDATE_DAYS,
  };
}

function areaOf(touched: readonly TouchedCell[]): { regions: number[]; cells: number[] } {
  const cells = touched.map(({ cell }) => cell);
  return { cells, regions: [...new Set(cells.map((cell) => regionOfParent(cell, FAR)))] };
}
