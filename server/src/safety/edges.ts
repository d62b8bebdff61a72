import type { Direction } from "./tables.ts";

/** Directions of a block and of a never-see entry: the acting side, then the other. */
export const BLOCKED = ["o", "i"] as const satisfies Direction[];
export const NAMED = ["n", "m"] as const satisfies Direction[];

/** Sorted by owner, to insert in a fixed order. */
export function edgesOf(by: number, other: number, [own, across]: readonly [Direction, Direction]) {
  const edges = [
    { owner: by, other, dir: own },
    { owner: other, other: by, dir: across },
  ];
  return edges.toSorted((a, b) => a.owner - b.owner);
}
