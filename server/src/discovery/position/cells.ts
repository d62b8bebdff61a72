import { cellToChildren, cellToLatLng, getHexagonEdgeLengthAvg, gridDisk, latLngToCell } from "h3-js";
import type { LocationPrecision } from "@alcove/contract/users";
import { centreOf, pack, POSITION, unpack } from "../../platform/lib/packed-cell.ts";
import { type Vector, vectorAt } from "./distance.ts";

export { centreOf, POSITION } from "../../platform/lib/packed-cell.ts";

export const NEAR = 6;
export const FAR = 4;
const REGION = 1;
export type Level = typeof NEAR | typeof FAR;

/** In mean edges; 1.09 was measured, pentagons included. */
const REACH_EDGES = 1.4;

/** Points of a cell are at most this far from its centre. */
export const REACH_KM = {
  [POSITION]: REACH_EDGES * getHexagonEdgeLengthAvg(POSITION, "km"),
  [NEAR]: REACH_EDGES * getHexagonEdgeLengthAvg(NEAR, "km"),
  [FAR]: REACH_EDGES * getHexagonEdgeLengthAvg(FAR, "km"),
} as const;

/** About 5 square kilometres: the most precise stored position. */
export function cellAt(longitude: number, latitude: number): number {
  return pack(latLngToCell(latitude, longitude, POSITION), POSITION);
}

const COARSER_LEVELS = { cell: 0, town: 1, region: 2 } as const satisfies Record<LocationPrecision, number>;

/** A cell at the centre of the larger cell stays at every finer precision. */
export function snapCell(cell: number, precision: LocationPrecision): number {
  const bits = 3 * COARSER_LEVELS[precision];
  return (cell >> bits) << bits;
}

export function parentOf(cell: number, level: Level): number {
  return cell >> (3 * (POSITION - level));
}

export function regionOf(cell: number): number {
  return cell >> (3 * (POSITION - REGION));
}

export function regionOfParent(parent: number, level: Level): number {
  return parent >> (3 * (level - REGION));
}

/** Of the cell's centre. */
export function vectorOf(cell: number): Vector {
  return vectorAt(centreOf(cell));
}

export interface Centre {
  readonly cell: number;
  readonly vector: Vector;
}

export function nearCellsOf(far: number): readonly Centre[] {
  return cached(nearCells, far, () =>
    cellToChildren(unpack(far, FAR), NEAR).map((h3) => ({ cell: pack(h3, NEAR), vector: unitVectorOf(h3) })),
  );
}

/** Returns at least the far cells with members within `km` of a member of this one. */
export function farCellsAround(far: number, km: number): readonly Centre[] {
  const ringKm = 1.5 * 0.75 * getHexagonEdgeLengthAvg(FAR, "km");
  const rings = Math.ceil((km + 2 * REACH_KM[FAR]) / ringKm);
  return cached(farDisks, far * 1_000 + rings, () =>
    gridDisk(unpack(far, FAR), rings).map((h3) => ({ cell: pack(h3, FAR), vector: unitVectorOf(h3) })),
  );
}

const CACHED_DISKS = 256;
const farDisks = new Map<number, readonly Centre[]>();
const nearCells = new Map<number, readonly Centre[]>();

function cached<T>(cache: Map<number, T>, key: number, compute: () => T): T {
  const value = cache.get(key) ?? compute();
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > CACHED_DISKS) cache.delete(cache.keys().next().value!);
  return value;
}

function unitVectorOf(h3: string): Vector {
  const [latitude, longitude] = cellToLatLng(h3);
  return vectorAt({ longitude, latitude });
}
