import type { Direction } from "./tables.ts";

/** The directions of a block and of a named person, on the side of who did it and on the other. */
export const BLOCKED = ["o", "i"] as const satisfies Direction[];
export const NAMED = ["n", "m"] as const satisfies Direction[];

/** The two rows between two members, in the order of their owners. */
export function edgesOf(by: number, other: number, [own, across]: readonly [Direction, Direction]) {
  const edges = [
    { owner: by, other, dir: own },
    { owner: other, other: by, dir: across },
  ];
  return edges.toSorted((a, b) => a.owner - b.owner);
}
