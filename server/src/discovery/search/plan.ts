import { CANDIDATE_DAYS } from "@alcove/contract/limits";
import type { SearchSex } from "@alcove/contract/users";
import type { Filter } from "../../profiles/index.ts";
import {
  FAR,
  farCellsAround,
  type Level,
  NEAR,
  nearCellsOf,
  parentOf,
  REACH_KM,
  regionOfParent,
} from "../position/cells.ts";
import { kmBandsOf, kmBetween, kmOfChordSquared } from "../position/distance.ts";
import type { Place } from "../position/places.ts";
import { SEX_BIT } from "./mutual-filter.ts";
import { ALL_SLOTS, rotateSlots, type SlotRange, slotsOfDays } from "./random-slots.ts";

export interface Probe extends SlotRange {
  readonly cell: number;
  readonly sex: number;
}

export interface Stage {
  readonly level: Level;
  readonly probes: readonly Probe[];
}

export interface TouchedCell {
  readonly cell: number;
  readonly km: number;
}

export type CellCount = (cell: number, sex: number) => number;

/** Up to this number, one exact statement is fastest. */
const SMALL_AREA_MEMBERS = 3_000;
/** A far cell with fewer members gets one probe instead of one per tier. */
const SPARSE_MEMBERS = 60;
/** A far cell with more members is probed by its near cells. */
const DENSE_MEMBERS = 300;
const NEAR_KM = 8;
const FIRST_NEAR_PROBES = 96;
const FIRST_FAR_PROBES = 256;

/** Members within the same step have equal scores. */
export const DISTANCE_STEPS_KM = [8, 25, 80, 250] as const;
export const ABSENCE_STEPS_DAYS = [3, 14, CANDIDATE_DAYS] as const;
export const ABSENCE_WEIGHT = 3;
export const DISTANCE_WEIGHT = 2;
const TIERS = ABSENCE_STEPS_DAYS.length;

export interface PlacedFilter {
  readonly place: Place;
  readonly filter: Filter;
}

export function touchedCells({ place, filter }: PlacedFilter): TouchedCell[] {
  const range = kmBandsOf(filter);
  return farCellsAround(parentOf(place.cell, FAR), range.max)
    .map(({ cell, vector }) => ({ cell, km: kmBetween(place.vector, vector) }))
    .filter(({ km }) => touches(km, REACH_KM[FAR], range));
}

export function sexBits(sought: SearchSex): number[] {
  return sought === "all" ? [SEX_BIT.female, SEX_BIT.male] : [SEX_BIT[sought]];
}

export function isSmallArea(
  { filter }: PlacedFilter,
  touched: readonly TouchedCell[],
  count: CellCount,
): boolean {
  const sexes = sexBits(filter.sex);
  let members = 0;
  for (const { cell } of touched) for (const sex of sexes) members += count(cell, sex);
  return members * shareOfAges(filter.minAge, filter.maxAge) <= SMALL_AREA_MEMBERS;
}

/**
 * Near and recently active members come first.
 *
 * @param start.offset from 0 to 1, another for each viewer: viewers of a crowded cell see different members
 */
export function planProbes(
  { place, filter }: PlacedFilter,
  touched: readonly TouchedCell[],
  count: CellCount,
  start: { today: number; offset: number },
): Stage[] {
  const range = kmBandsOf(filter);
  const nearProbes: Scored[] = [];
  const farProbes: Scored[] = [];
  const tiers = slotsOfTiers(start);
  const add = (to: Scored[], cell: number, km: number, sex: number, tier: number) => {
    for (const slots of tiers[tier]!) to.push({ cell, km, sex, ...slots, score: scoreOf(km, tier) });
  };

  for (const sex of sexBits(filter.sex)) {
    for (const { cell, km } of touched) {
      const members = count(cell, sex);
      if (members === 0) continue;
      if (members >= DENSE_MEMBERS && km - REACH_KM[FAR] <= NEAR_KM) {
        for (const child of nearCellsOf(cell)) {
          const childKm = kmBetween(place.vector, child.vector);
          if (!touches(childKm, REACH_KM[NEAR], range)) continue;
          for (let tier = 0; tier < TIERS; tier++) add(nearProbes, child.cell, childKm, sex, tier);
        }
      } else if (members < SPARSE_MEMBERS) {
        farProbes.push({ cell, km, sex, ...ALL_SLOTS, score: scoreOf(km, 0) });
      } else {
        for (let tier = 0; tier < TIERS; tier++) add(farProbes, cell, km, sex, tier);
      }
    }
  }
  return [...stages(NEAR, nearProbes, FIRST_NEAR_PROBES), ...stages(FAR, farProbes, FIRST_FAR_PROBES)];
}

interface Scored extends Probe {
  readonly score: number;
  readonly km: number;
}

function stages(level: Level, probes: Scored[], first: number): Stage[] {
  const sorted = probes.toSorted((a, b) => a.score - b.score || a.km - b.km);
  return [sorted.slice(0, first), sorted.slice(first)]
    .filter((part) => part.length > 0)
    .map((part) => ({ level, probes: part }));
}

/** The first step includes tomorrow, because clocks of processes differ. */
function slotsOfTiers({ today, offset }: { today: number; offset: number }): SlotRange[][] {
  const ends = ABSENCE_STEPS_DAYS.map((days) => today - days);
  return ends.map((oldest, tier) =>
    rotateSlots(slotsOfDays((ends[tier - 1] ?? today + 2) - 1, oldest), offset),
  );
}

function scoreOf(km: number, tier: number): number {
  const step = DISTANCE_STEPS_KM.findIndex((end) => km <= end);
  return ABSENCE_WEIGHT * tier + DISTANCE_WEIGHT * (step === -1 ? DISTANCE_STEPS_KM.length : step);
}

export function scoreOfCandidate(chordSquared: number, activeDay: number, today: number): number {
  const step = ABSENCE_STEPS_DAYS.findIndex((days) => activeDay >= today - days);
  return scoreOf(kmOfChordSquared(chordSquared), step === -1 ? TIERS : step);
}

export function byRegion({ level, probes }: Stage): Map<number, { probe: Probe; ordinal: number }[]> {
  return Map.groupBy(
    probes.map((probe, ordinal) => ({ probe, ordinal })),
    ({ probe }) => regionOfParent(probe.cell, level),
  );
}

function touches(km: number, reachKm: number, { min, max }: { min: number; max: number }): boolean {
  return km - reachKm <= max && km + reachKm >= min;
}

function shareOfAges(minAge: number, maxAge: number): number {
  const below = (age: number) => 1 / (1 + Math.exp((-1.7 * (age - 42)) / 9));
  return Math.max(0.002, below(maxAge + 1) - below(minAge));
}
