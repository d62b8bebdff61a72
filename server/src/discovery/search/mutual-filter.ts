import { ageOn } from "@alcove/contract/fields";
import type { Sex } from "@alcove/contract/users";
import type { Filter } from "../../profiles/index.ts";
import { vectorOf } from "../position/cells.ts";
import { chordSquaredBetween, chordSquaredOf, kmOfRange } from "../position/distance.ts";

export interface Seeker {
  readonly sex: Sex;
  readonly dateOfBirth: string;
  readonly cell: number | null;
  readonly filter: Filter;
}

/** A search row stores sexes as bits. */
export const SEX_BIT = { female: 1, male: 2 } as const;
export const SOUGHT_SEX_BITS = { ...SEX_BIT, all: 3 } as const;

export function chordRangeOf({ unit, minRange, maxRange }: Filter): { min: number; max: number } {
  return { min: chordSquaredOf(kmOfRange(minRange, unit)), max: chordSquaredOf(kmOfRange(maxRange, unit)) };
}

export function areMutual(a: Seeker, b: Seeker, day: string): boolean {
  return admits(a, b, day) && admits(b, a, day);
}

/** Whether the seeker's own filter admits the other. */
export function admits({ cell, filter }: Seeker, other: Seeker, day: string): boolean {
  if (cell === null || other.cell === null) return false;
  const distance = chordSquaredBetween(vectorOf(cell), vectorOf(other.cell));
  const age = ageOn(day, other.dateOfBirth);
  const range = chordRangeOf(filter);
  return (
    (SOUGHT_SEX_BITS[filter.sex] & SEX_BIT[other.sex]) !== 0 &&
    filter.minAge <= age &&
    age <= filter.maxAge &&
    range.min <= distance &&
    distance <= range.max
  );
}

export function birthDates(day: string, minAge: number, maxAge: number): { from: string; to: string } {
  return { from: dayAfter(yearsBefore(day, maxAge + 1)), to: yearsBefore(day, minAge) };
}

/** In other years, a birthday on 29 February falls on 1 March. */
function yearsBefore(day: string, years: number): string {
  const year = Number(day.slice(0, 4)) - years;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const monthAndDay = day.slice(5) === "02-29" && !isLeap ? "02-28" : day.slice(5);
  return `${String(year).padStart(4, "0")}-${monthAndDay}`;
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** Changes with every value that decides who is a candidate for whom. */
export function fingerprintOf({ sex, dateOfBirth, cell, filter }: Seeker): number {
  return hashOf([sex, dateOfBirth, cell, textOf(filter)].join());
}

export function filterFingerprintOf(filter: Filter): number {
  return hashOf(textOf(filter));
}

function textOf({ sex, unit, minRange, maxRange, minAge, maxAge }: Filter): string {
  return [sex, unit, minRange, maxRange, minAge, maxAge].join();
}

/** FNV-1a in two halves: an integer below 2^53. */
export function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(i) + i), 0x01000193);
  }
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}
