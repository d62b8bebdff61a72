import { DAY_MS } from "../platform/clock.ts";
import type { Conditions } from "./conditions.ts";
import type { Period } from "./memberships.ts";

/** A begun period of 24 hours is a used day. */
function countDays({ from, until }: Period, now: Date): { all: number; unused: number } {
  const daysTo = (at: Date): number => (at.getTime() - from.getTime()) / DAY_MS;
  // An hour of summer time makes no day.
  const all = Math.round(daysTo(until));
  return { all, unused: Math.min(Math.max(all - Math.ceil(daysTo(now)), 0), all) };
}

/** Rounded up, in the unit of `left`. */
export function shareOfUnused(left: number, period: Period, now: Date): number {
  const { all, unused } = countDays(period, now);
  return Math.ceil((left * unused) / all);
}

export function paysForDaysUsed({ withdrawal, startAtOnce }: Conditions): boolean {
  return withdrawal?.share === "unused" && startAtOnce;
}
