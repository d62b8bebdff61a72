import type { SearchSex } from "@alcove/contract/users";
import {
  FAR,
  farCellsAround,
  type Level,
  NEAR,
  nearCellsOf,
  parentOf,
  REACH_KM,
  regionOfParent,
  vectorOf,
} from "./cells.ts";
import { chordSquaredBetween, kmOfChordSquared, kmOfRange, type Vector } from "./distance.ts";
import { SEX_BIT, type Seeker } from "./mutual-filter.ts";
import { ALL_SLOTS, beginningAt, type Slots, slotsOfDays } from "./random-slots.ts";

/** One look into a cell: members of a sex whose slot is one of these, in the order of slots. */
export interface Probe extends Slots {
  readonly cell: number;
  readonly sex: number;
}

/** Probes of one level, best first. */
export interface Stage {
  readonly level: Level;
  readonly probes: readonly Probe[];
}

/** A far cell that members in reach can be in, and how far its centre is. */
export interface TouchedCell {
  readonly cell: number;
  readonly km: number;
}

/** Members of a far cell, by sex. */
export type Count = (cell: number, sex: number) => number;

/** Up to so many expected matches one exact statement is the quickest. */
const SMALL = 3_000;
/** A far cell with fewer members of a sex gets one probe instead of one for each tier. */
const SPARSE = 60;
/** A far cell with so many is looked into by its near cells. */
const DENSE = 300;
const NEAR_KM = 8;
const FIRST_NEAR_PROBES = 96;
const FIRST_FAR_PROBES = 256;

/** The upper ends of the distances and days of absence within which people count as equally good. */
export const DISTANCE_STEPS_KM = [8, 25, 80, 250] as const;
export const ABSENCE_STEPS_DAYS = [3, 14, 60] as const;
/** A step of absence weighs one and a half steps of distance: in halves, so that scores are whole numbers. */
export const ABSENCE_WEIGHT = 3;
export const DISTANCE_WEIGHT = 2;
const LAST_TIER = ABSENCE_STEPS_DAYS.length;

/** The far cells that a seeker's range touches, by geometry alone: a newcomer in an empty area is in one of them. */
export function touchedCells({ cell, filter }: Seeker & { cell: number }): TouchedCell[] {
  const [minKm, maxKm] = [
    kmOfRange(filter.minRange, filter.unit),
    kmOfRange(filter.maxRange, filter.unit),
  ] as const;
  const own = vectorOf(cell);
  return farCellsAround(parentOf(cell, FAR), maxKm)
    .map(({ cell: far, vector }) => ({ cell: far, km: kmBetween(own, vector) }))
    .filter(({ km }) => touches(km, REACH_KM[FAR], minKm, maxKm));
}

export function sexBits(sought: SearchSex): number[] {
  return sought === "all" ? [SEX_BIT.female, SEX_BIT.male] : [SEX_BIT[sought]];
}

/** Whether about so few match that reading all of them at once is best. */
export function isSmall({ filter }: Seeker, touched: readonly TouchedCell[], count: Count): boolean {
  const sexes = sexBits(filter.sex);
  let members = 0;
  for (const { cell } of touched) for (const sex of sexes) members += count(cell, sex);
  return members * shareOfAges(filter.minAge, filter.maxAge) <= SMALL;
}

/**
 * The probes of a search, near and lately active people first (search.md, section 8).
 *
 * @param begin.turn from 0 to 1, where to begin among the members of a cell who count as equals: another one for each
 *   viewer, so that a crowded cell does not show everybody the same few
 */
export function planProbes(
  seeker: Seeker & { cell: number },
  touched: readonly TouchedCell[],
  count: Count,
  begin: { today: number; turn: number },
): Stage[] {
  const { filter } = seeker;
  const [minKm, maxKm] = [
    kmOfRange(filter.minRange, filter.unit),
    kmOfRange(filter.maxRange, filter.unit),
  ] as const;
  const own = vectorOf(seeker.cell);
  const nearProbes: Scored[] = [];
  const nearOldProbes: Scored[] = [];
  const farProbes: Scored[] = [];
  const tiers = slotsOfTiers(begin);
  const add = (to: Scored[], cell: number, km: number, sex: number, tier: number) => {
    for (const slots of tiers[tier]!) to.push({ cell, km, sex, ...slots, score: scoreOf(km, tier) });
  };

  for (const sex of sexBits(filter.sex)) {
    for (const { cell, km } of touched) {
      const members = count(cell, sex);
      if (members === 0) continue;
      if (members >= DENSE && km - REACH_KM[FAR] <= NEAR_KM) {
        for (const child of nearCellsOf(cell)) {
          const childKm = kmBetween(own, child.vector);
          if (!touches(childKm, REACH_KM[NEAR], minKm, maxKm)) continue;
          for (let tier = 0; tier < LAST_TIER; tier++) add(nearProbes, child.cell, childKm, sex, tier);
          add(nearOldProbes, child.cell, childKm, sex, LAST_TIER);
        }
      } else if (members < SPARSE) {
        farProbes.push({ cell, km, sex, ...ALL_SLOTS, score: scoreOf(km, 0) });
      } else {
        for (let tier = 0; tier <= LAST_TIER; tier++) add(farProbes, cell, km, sex, tier);
      }
    }
  }
  return [
    ...stages(NEAR, nearProbes, FIRST_NEAR_PROBES),
    ...stages(FAR, farProbes, FIRST_FAR_PROBES),
    ...stages(NEAR, nearOldProbes, nearOldProbes.length),
  ];
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

/** The slots of each step of absence; whoever is of tomorrow by another process's clock counts with today's. */
function slotsOfTiers({ today, turn }: { today: number; turn: number }): Slots[][] {
  const ends = [...ABSENCE_STEPS_DAYS.map((days) => today - days), 0];
  return ends.map((oldest, tier) =>
    beginningAt(slotsOfDays((ends[tier - 1] ?? today + 2) - 1, oldest), turn),
  );
}

function scoreOf(km: number, tier: number): number {
  const step = DISTANCE_STEPS_KM.findIndex((end) => km <= end);
  return ABSENCE_WEIGHT * tier + DISTANCE_WEIGHT * (step === -1 ? DISTANCE_STEPS_KM.length : step);
}

/** How good a candidate is, less is better: by steps of distance and absence, and no finer. */
export function scoreOfCandidate(chordSquared: number, activeDay: number, today: number): number {
  const step = ABSENCE_STEPS_DAYS.findIndex((days) => activeDay >= today - days);
  return scoreOf(kmOfChordSquared(chordSquared), step === -1 ? LAST_TIER : step);
}

/** Groups probes by the region that their cells lie in, each with its place in the whole list. */
export function byRegion({ level, probes }: Stage): Map<number, { probe: Probe; ordinal: number }[]> {
  return Map.groupBy(
    probes.map((probe, ordinal) => ({ probe, ordinal })),
    ({ probe }) => regionOfParent(probe.cell, level),
  );
}

function touches(km: number, reachKm: number, minKm: number, maxKm: number): boolean {
  return km - reachKm <= maxKm && km + reachKm >= minKm;
}

function kmBetween(a: Vector, b: Vector): number {
  return kmOfChordSquared(chordSquaredBetween(a, b));
}

/** About which share of members is of these ages; only chooses the path of the search, never its answer. */
function shareOfAges(minAge: number, maxAge: number): number {
  const below = (age: number) => 1 / (1 + Math.exp((-1.7 * (age - 42)) / 9));
  return Math.max(0.002, below(maxAge + 1) - below(minAge));
}
