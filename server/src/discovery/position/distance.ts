import { DISTANCE_BANDS, SMALLEST_BAND } from "@alcove/contract/limits";
import type { RangeUnit } from "@alcove/contract/users";
import { KM_IN } from "@alcove/contract/wide-filter";

export type Vector = readonly [x: number, y: number, z: number];

export const EARTH_RADIUS_KM = 6371.007180918475;

export function vectorAt({ longitude, latitude }: { longitude: number; latitude: number }): Vector {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

export function chordSquaredOf(km: number): number {
  const halfChord = Math.sin(Math.min(km / (2 * EARTH_RADIUS_KM), Math.PI / 2));
  return 4 * halfChord * halfChord;
}

/** Same operations in the same order as the search statement. */
export function chordSquaredBetween(a: Vector, b: Vector): number {
  const [dx, dy, dz] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return dx * dx + dy * dy + dz * dz;
}

export function kmOfChordSquared(chordSquared: number): number {
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chordSquared) / 2));
}

export function kmOfRange(range: number, unit: RangeUnit): number {
  return range * KM_IN[unit];
}

export function kmBetween(a: Vector, b: Vector): number {
  return kmOfChordSquared(chordSquaredBetween(a, b));
}

/** Returns the band's upper end: the only distance that users see. */
export function distanceBand(chordSquared: number, unit: RangeUnit, smallest: number): number {
  return bandUpTo(kmOfChordSquared(chordSquared) / KM_IN[unit], smallest);
}

/**
 * The filter's range counts in the bands that candidates show: the maximum up to a band's end, the minimum down to one,
 * or to 0.
 */
export function kmBandsOf({ unit, minRange, maxRange }: RangeOf): {
  readonly min: number;
  readonly max: number;
} {
  const min = DISTANCE_BANDS.findLast((end) => end <= minRange && SMALLEST_BAND.dealt <= end) ?? 0;
  return { min: kmOfRange(min, unit), max: kmOfRange(bandUpTo(maxRange, SMALLEST_BAND.dealt), unit) };
}

interface RangeOf {
  readonly unit: RangeUnit;
  readonly minRange: number;
  readonly maxRange: number;
}

function bandUpTo(distance: number, smallest: number): number {
  return DISTANCE_BANDS.find((end) => distance <= end && smallest <= end) ?? DISTANCE_BANDS.at(-1)!;
}
