import { cellToBoundary, cellToLatLng, gridDisk, latLngToCell } from "h3-js";
import { pack, POSITION, unpack } from "./packed-cell.ts";

const KM_PER_DEGREE = 111.2;
const CIRCLE_LEVELS = { 5: 6, 10: 5, 20: 5 } as const;

export type AreaRadius = keyof typeof CIRCLE_LEVELS;

/** A hidden area: the fixed cells that a circle around the centre of one of them touches. */
export interface Area {
  /** Packed at the level of its radius. */
  readonly cell: number;
  readonly radius: AreaRadius;
}

export function areaAt(longitude: number, latitude: number, radius: AreaRadius): Area {
  const level = CIRCLE_LEVELS[radius];
  return { cell: pack(latLngToCell(latitude, longitude, level), level), radius };
}

export function areaContains({ cell, radius }: Area, position: number): boolean {
  const level = CIRCLE_LEVELS[radius];
  return cellsOf(cell, radius).has(position >> (3 * (POSITION - level)));
}

const areas = new Map<number, ReadonlySet<number>>();
const CACHED_AREAS = 4_096;

function cellsOf(cell: number, radius: AreaRadius): ReadonlySet<number> {
  const key = cell * 32 + radius;
  const known = areas.get(key);
  if (known) return known;
  const level = CIRCLE_LEVELS[radius];
  const h3 = unpack(cell, level);
  const centre = cellToLatLng(h3);
  // The edges of cells are at least 3 km and 8 km long: two rings contain every circle.
  const touched = gridDisk(h3, 2).filter((other) => distanceKm(centre, cellToBoundary(other)) <= radius);
  const cells = new Set([h3, ...touched].map((other) => pack(other, level)));
  if (areas.size >= CACHED_AREAS) areas.clear();
  areas.set(key, cells);
  return cells;
}

export function centreOfArea({ cell, radius }: Area): [longitude: number, latitude: number] {
  const [latitude, longitude] = cellToLatLng(unpack(cell, CIRCLE_LEVELS[radius]));
  return [longitude, latitude];
}

/** On a plane, which is exact to some metres at these distances. */
function distanceKm([latitude, longitude]: [number, number], boundary: readonly [number, number][]): number {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  const points = boundary.map(([lat, lng]) => {
    const east = ((lng - longitude + 540) % 360) - 180;
    return { x: east * narrow * KM_PER_DEGREE, y: (lat - latitude) * KM_PER_DEGREE };
  });
  return Math.min(...points.map((from, i) => distanceToEdge(from, points[(i + 1) % points.length]!)));
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function distanceToEdge(from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const share = Math.max(0, Math.min(1, -(from.x * dx + from.y * dy) / (dx * dx + dy * dy)));
  return Math.hypot(from.x + share * dx, from.y + share * dy);
}
