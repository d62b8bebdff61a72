import { ageOn } from "@alcove/contract/fields";
import type { Sex } from "@alcove/contract/users";
import { monthOf } from "../../platform/clock.ts";
import type { Filter } from "../../profiles/index.ts";
import { chordSquaredOf, kmBandsOf } from "../position/distance.ts";
import { chordSquaredBetweenMembers, type Secrets } from "../position/places.ts";

export interface Seeker {
  readonly memberId: number;
  readonly sex: Sex;
  readonly dateOfBirth: string;
  readonly cell: number | null;
  readonly filter: Filter;
}

export const SEX_BIT = { female: 1, male: 2 } as const;
/** Moves the sought sexes of a member who shows to liked members only (docs/search.md, Hidden members). */
export const ONLY_LIKED_SHIFT = 2;
/** Added to the sought sexes of a member with hidden areas: no statement knows whom they hide from. */
export const HAS_AREAS = 16;
export const SOUGHT_SEX_BITS = { ...SEX_BIT, all: 3 } as const;

export function chordRangeOf(filter: Filter): { min: number; max: number } {
  const { min, max } = kmBandsOf(filter);
  return { min: chordSquaredOf(min), max: chordSquaredOf(max) };
}

export function areMutual(ctx: Secrets, a: Seeker, b: Seeker, day: string): boolean {
  return admits(ctx, a, b, day) && admits(ctx, b, a, day);
}

export function admits(ctx: Secrets, seeker: Seeker, other: Seeker, day: string): boolean {
  const { filter } = seeker;
  const distance = chordSquaredBetweenMembers(ctx, seeker, other);
  const range = chordRangeOf(filter);
  return (
    distance !== null &&
    (SOUGHT_SEX_BITS[filter.sex] & SEX_BIT[other.sex]) !== 0 &&
    admitsAge(filter, other, day) &&
    range.min <= distance &&
    distance <= range.max
  );
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
