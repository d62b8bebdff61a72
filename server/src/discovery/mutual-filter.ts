import { ageOn } from "@alcove/contract/fields";
import type { Sex } from "@alcove/contract/users";
import type { Filter } from "../profiles/index.ts";
import { vectorOf } from "./cells.ts";
import { chordSquaredBetween, chordSquaredOf, kmOfRange } from "./distance.ts";

/** What the rules of the search know of somebody. */
export interface Seeker {
  readonly sex: Sex;
  readonly dateOfBirth: string;
  readonly cell: number | null;
  readonly filter: Filter;
}

/** The bits of the search rows: a sex is one bit, what is sought one or both. */
export const SEX_BIT = { female: 1, male: 2 } as const;
export const SOUGHT_BITS = { ...SEX_BIT, all: 3 } as const;

/** The two ends of a filter's range, as squared chords. */
export function reachOf({ unit, minRange, maxRange }: Filter): { min: number; max: number } {
  return { min: chordSquaredOf(kmOfRange(minRange, unit)), max: chordSquaredOf(kmOfRange(maxRange, unit)) };
}

/** Whether two people are candidates for each other on a day: "each side's filter (sex, age, distance) admits the other". */
export function areMutual(a: Seeker, b: Seeker, day: string): boolean {
  if (a.cell === null || b.cell === null) return false;
  const apart = chordSquaredBetween(vectorOf(a.cell), vectorOf(b.cell));
  return admits(a.filter, b, apart, day) && admits(b.filter, a, apart, day);
}

function admits(filter: Filter, other: Seeker, apart: number, day: string): boolean {
  const age = ageOn(day, other.dateOfBirth);
  const reach = reachOf(filter);
  return (
    (SOUGHT_BITS[filter.sex] & SEX_BIT[other.sex]) !== 0 &&
    filter.minAge <= age &&
    age <= filter.maxAge &&
    reach.min <= apart &&
    apart <= reach.max
  );
}

/** The birth dates of those who are `minAge` to `maxAge` years old on a day; both ends belong to it. */
export function birthDates(day: string, minAge: number, maxAge: number): { from: string; to: string } {
  return { from: dayAfter(yearsBefore(day, maxAge + 1)), to: yearsBefore(day, minAge) };
}

/** The last birth date that has made `years` by a day; somebody born on 29 February turns on 1 March. */
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

/** A number that changes whenever anything does that decides whom somebody is shown to, or who is shown to it. */
export function markOf({ sex, dateOfBirth, cell, filter }: Seeker): number {
  const { unit, minRange, maxRange, minAge, maxAge } = filter;
  const text = [sex, dateOfBirth, cell, filter.sex, unit, minRange, maxRange, minAge, maxAge].join();
  return hashOf(text);
}

/** A whole number below 2^53, the same for the same text (FNV-1a in two halves). */
export function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(i) + i), 0x01000193);
  }
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}
