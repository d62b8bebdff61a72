import { randomInt } from "node:crypto";

/** Slots order a cell's members: latest active day first, then by a random rank, drawn again each day. */
export interface SlotRange {
  readonly fromSlot: number;
  readonly toSlot: number;
}

const RANK_BITS = 10;
const RANKS = 2 ** RANK_BITS;
const LAST_DAY = 32_767;

export const ALL_SLOTS: SlotRange = { fromSlot: 0, toSlot: LAST_DAY * RANKS + RANKS - 1 };

export function drawRandomRank(): number {
  return randomInt(RANKS);
}

export function slotOf(day: number, rank: number): number {
  return (LAST_DAY - day) * RANKS + rank;
}

export function slotsOfDays(newest: number, oldest: number): SlotRange {
  return { fromSlot: slotOf(newest, 0), toSlot: slotOf(oldest, RANKS - 1) };
}

export function rotateSlots({ fromSlot, toSlot }: SlotRange, offset: number): SlotRange[] {
  const start = fromSlot + Math.floor(offset * (toSlot - fromSlot + 1));
  const first = { fromSlot: start, toSlot };
  return start === fromSlot ? [first] : [first, { fromSlot, toSlot: start - 1 }];
}
