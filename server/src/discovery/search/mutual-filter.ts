import { ageOn } from "@alcove/contract/fields";
import type { Sex } from "@alcove/contract/users";
import { monthOf } from "../../platform/clock.ts";
import type { Filter } from "../../profiles/index.ts";
import { vectorOf } from "../position/cells.ts";
import { chordSquaredBetween, chordSquaredOf, kmOfRange } from "../position/distance.ts";

export interface Seeker {
  readonly sex: Sex;
  readonly dateOfBirth: string;
  readonly cell: number | null;
  readonly filter: Filter;
}

export const SEX_BIT = { female: 1, male: 2 } as const;
export const SOUGHT_SEX_BITS = { ...SEX_BIT, all: 3 } as const;

export function chordRangeOf({ unit, minRange, maxRange }: Filter): { min: number; max: number } {
  return { min: chordSquaredOf(kmOfRange(minRange, unit)), max: chordSquaredOf(kmOfRange(maxRange, unit)) };
}

export function areMutual(a: Seeker, b: Seeker, day: string): boolean {
  return admits(a, b, day) && admits(b, a, day);
}

/** Checks the seeker's own filter only. */
export function admits({ cell, filter }: Seeker, other: Seeker, day: string): boolean {
  if (cell === null || other.cell === null) return false;
  const distance = chordSquaredBetween(vectorOf(cell), vectorOf(other.cell));
  const range = chordRangeOf(filter);
  return (
    (SOUGHT_SEX_BITS[filter.sex] & SEX_BIT[other.sex]) !== 0 &&
    admitsAge(filter, other, day) &&
    range.min <= distance &&
    distance <= range.max
  );
}

export function areAgesMutual(a: Seeker, b: Seeker, day: string): boolean {
  return admitsAge(a.filter, b, day) && admitsAge(b.filter, a, day);
}

function admitsAge({ minAge, maxAge }: Filter, { dateOfBirth }: Seeker, day: string): boolean {
  const age = ageOn(day, dateOfBirth);
  return minAge <= age && age <= maxAge;
}

/** In the first and last month, the age also depends on the day. */
export function birthMonthsOf({ minAge, maxAge }: Filter, day: string): { first: number; last: number } {
  const month = monthOf(day);
  return { first: month - 12 * (maxAge + 1), last: month - 12 * minAge };
}

export function agesOfMonth({ dateOfBirth }: Seeker, day: string): { least: number; most: number } {
  const months = monthOf(day) - monthOf(dateOfBirth);
  return { least: Math.floor((months - 1) / 12), most: Math.floor(months / 12) };
}

/**
 * Changes with every value that decides about candidates. It is stored without a key, so it leaves out the date of
 * birth, which could be found by trial.
 */
export function fingerprintOf({ cell, filter }: Pick<Seeker, "cell" | "filter">): number {
  return hashOf([cell, textOf(filter)].join());
}

export function filterFingerprintOf(filter: Filter): number {
  return hashOf(textOf(filter));
}

function textOf({ sex, unit, minRange, maxRange, minAge, maxAge }: Filter): string {
  return [sex, unit, minRange, maxRange, minAge, maxAge].join();
}

export function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(i) + i), 0x01000193);
  }
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}
