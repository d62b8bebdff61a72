import { cellToChildren, cellToLatLng, getHexagonEdgeLengthAvg, gridDisk, latLngToCell } from "h3-js";
import type { Vector } from "./distance.ts";

/**
 * The grid of the search: H3, packed into an int4 as 7 bits of base cell and 3 bits for each digit, so that a parent
 * is a shift. No other file knows H3 or the packing.
 */
export const NEAR = 6;
export const FAR = 4;
const PLACE = 7;
const REGION = 1;
export type Level = typeof NEAR | typeof FAR;

/** What a res-7 cell centre can be away from the centre of its parent, in mean edges: 1.09 was seen, at pentagons too. */
const REACH_EDGES = 1.4;

/** How far members of a cell can be from its centre, by level. */
export const REACH_KM = {
  [NEAR]: REACH_EDGES * getHexagonEdgeLengthAvg(NEAR, "km"),
  [FAR]: REACH_EDGES * getHexagonEdgeLengthAvg(FAR, "km"),
} as const;

/** The cell of about 5 square kilometres that a position lies in: all that is ever known of the position. */
export function cellAt(longitude: number, latitude: number): number {
  return pack(latLngToCell(latitude, longitude, PLACE), PLACE);
}

/** The cell of a coarser level around a place's cell. */
export function parentOf(cell: number, level: Level): number {
  return cell >> (3 * (PLACE - level));
}

/** The coarse cell by which search rows are spread. */
export function regionOf(cell: number): number {
  return cell >> (3 * (PLACE - REGION));
}

/** The region of a cell of a coarser level. */
export function regionOfParent(parent: number, level: Level): number {
  return parent >> (3 * (level - REGION));
}

/** The centre of a place's cell, in degrees. */
export function middleOf(cell: number): { longitude: number; latitude: number } {
  const [latitude, longitude] = cellToLatLng(unpack(cell, PLACE));
  return { longitude, latitude };
}

/** The centre of a place's cell as a unit vector, rounded as the search rows store it: both sides compute the same. */
export function vectorOf(cell: number): Vector {
  const [x, y, z] = centreOf(unpack(cell, PLACE));
  return [Math.fround(x), Math.fround(y), Math.fround(z)];
}

export interface Centre {
  readonly cell: number;
  readonly vector: Vector;
}

/** The near cells within a far cell. */
export function nearCellsOf(far: number): readonly Centre[] {
  return cached(nearCells, far, () =>
    cellToChildren(unpack(far, FAR), NEAR).map((h3) => ({ cell: pack(h3, NEAR), vector: centreOf(h3) })),
  );
}

/** The far cells around a far cell, at least all whose members can be within `km` of a member of it. */
export function farCellsAround(far: number, km: number): readonly Centre[] {
  // The least way that one ring gains on another, with room for the grid's distortion.
  const ringKm = 1.5 * 0.75 * getHexagonEdgeLengthAvg(FAR, "km");
  const rings = Math.ceil((km + 2 * REACH_KM[FAR]) / ringKm);
  return cached(farDisks, far * 1_000 + rings, () =>
    gridDisk(unpack(far, FAR), rings).map((h3) => ({ cell: pack(h3, FAR), vector: centreOf(h3) })),
  );
}

const CACHED_DISKS = 256;
const farDisks = new Map<number, readonly Centre[]>();
const nearCells = new Map<number, readonly Centre[]>();

/** Keeps what was made last, a bounded number of them: geometry is dear, and neighbours ask for the same. */
function cached<T>(kept: Map<number, T>, key: number, make: () => T): T {
  const made = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, made);
  if (kept.size > CACHED_DISKS) kept.delete(kept.keys().next().value!);
  return made;
}

function centreOf(h3: string): Vector {
  const [latitude, longitude] = cellToLatLng(h3).map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
  ];
  return [
    Math.cos(latitude) * Math.cos(longitude),
    Math.cos(latitude) * Math.sin(longitude),
    Math.sin(latitude),
  ];
}

// An H3 index is the hex digit 8, the resolution, then base cell and 15 digits; the finest we use ends after seven hex digits.
function pack(h3: string, resolution: number): number {
  return parseInt(h3.slice(2, 9), 16) >> (3 * (PLACE - resolution));
}

function unpack(cell: number, resolution: number): string {
  const shift = 3 * (PLACE - resolution);
  const digits = (cell << shift) | ((1 << shift) - 1);
  return `8${resolution}${digits.toString(16).padStart(7, "0")}ffffff`;
}
