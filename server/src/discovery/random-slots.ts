import { randomInt } from "node:crypto";

/**
 * A slot orders the members of a cell: the later a member was last active the smaller it is, and within a day by a lot
 * that is drawn anew with each day's activity.
 */
export interface Slots {
  readonly fromSlot: number;
  readonly toSlot: number;
}

const LOT_BITS = 10;
const LOTS = 2 ** LOT_BITS;
const LAST_DAY = 32_767;

/** Every slot there is. */
export const ALL_SLOTS: Slots = { fromSlot: 0, toSlot: LAST_DAY * LOTS + LOTS - 1 };

export function drawLot(): number {
  return randomInt(LOTS);
}

/** The slot of somebody last active on a day (days since 1970) with a lot. */
export function slotOf(day: number, lot: number): number {
  return (LAST_DAY - day) * LOTS + lot;
}

/** The slots of all days from `newest` back to `oldest` (days since 1970). */
export function slotsOfDays(newest: number, oldest: number): Slots {
  return { fromSlot: slotOf(newest, 0), toSlot: slotOf(oldest, LOTS - 1) };
}

/** The same slots from some point on, and round to it again; `turn` is from 0 to 1. */
export function beginningAt({ fromSlot, toSlot }: Slots, turn: number): Slots[] {
  const start = fromSlot + Math.floor(turn * (toSlot - fromSlot + 1));
  const first = { fromSlot: start, toSlot };
  return start === fromSlot ? [first] : [first, { fromSlot, toSlot: start - 1 }];
}
