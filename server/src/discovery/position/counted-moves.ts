import { COUNTED_MOVES } from "@alcove/contract/limits";
import type { LocationPrecision } from "@alcove/contract/users";
import { HOUR_MS } from "../../platform/clock.ts";
import { snapCell, vectorOf } from "./cells.ts";
import { kmBetween } from "./distance.ts";

/** Search and distances use it, in both directions. */
export interface CountedPosition {
  readonly cell: number;
  readonly at: Date;
  readonly changes: number;
  readonly changedOn: string;
}

interface Moment {
  readonly now: Date;
  readonly day: string;
}

export type MoveRule = (old: CountedPosition | null, cell: number, moment: Moment) => CountedPosition;

/**
 * A dropped move never counts later, only the next position can.
 *
 * A privacy rule, which `RATE_LIMITS=off` does not lift.
 */
export const countMove: MoveRule = (old, cell, { now, day }) => {
  if (!old) return { cell, at: now, changes: 0, changedOn: day };
  if (cell === old.cell) return { ...old, at: now };
  const changes = changesOn(old, day);
  if (changes >= COUNTED_MOVES.perDay || isTooFast(old, cell, now)) return old;
  return { cell, at: now, changes: changes + 1, changedOn: day };
};

export const countEveryMove: MoveRule = (_, cell, { now, day }) => ({
  cell,
  at: now,
  changes: 0,
  changedOn: day,
});

/**
 * A coarser place always takes effect. It counts as a change, on the next day if this day has none left, so that changing
 * the precision gains no move.
 */
export function coarsen(old: CountedPosition, precision: LocationPrecision, day: string): CountedPosition {
  const cell = snapCell(old.cell, precision);
  return cell === old.cell ? old : { ...old, cell, changes: changesOn(old, day) + 1, changedOn: day };
}

function changesOn({ changes, changedOn }: CountedPosition, day: string): number {
  return changedOn === day ? changes : Math.max(0, changes - COUNTED_MOVES.perDay);
}

function isTooFast({ cell, at }: CountedPosition, to: number, now: Date): boolean {
  const km = kmBetween(vectorOf(cell), vectorOf(to));
  const hours = (now.getTime() - at.getTime()) / HOUR_MS;
  return km > COUNTED_MOVES.shortKm && km > COUNTED_MOVES.maxKmPerHour * hours;
}
