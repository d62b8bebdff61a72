import { greatCircleDistance, UNITS } from "h3-js";
import type { Role } from "./sample-profiles.ts";

export interface Spot {
  readonly longitude: number;
  readonly latitude: number;
}

const APART_KM = 30;
const KM_PER_DEGREE = 111.2;

/**
 * Where the invented members live: around the visitors, those near each other sharing the place of the oldest member
 * among them, so that neither a newcomer nor a walk moves everybody.
 */
export function neighbourhoodsOf(visitors: readonly (Spot & { memberId: number })[]): Spot[] {
  const places: Spot[] = [];
  for (const visitor of visitors.toSorted((a, b) => a.memberId - b.memberId)) {
    if (!places.some((place) => belongsTo(place, visitor))) places.push(visitor);
  }
  return places;
}

/** Whether somebody at a spot counts to a neighbourhood. */
export function belongsTo(place: Spot, spot: Spot): boolean {
  return kmBetween(place, spot) <= APART_KM;
}

/** Where a role lives in a neighbourhood. */
export function homeOf({ bearing, km }: Role, around: Spot): Spot {
  const north = (km * Math.cos(bearing)) / KM_PER_DEGREE;
  const latitude = Math.max(-89, Math.min(89, around.latitude + north));
  const east = (km * Math.sin(bearing)) / (KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const longitude = ((((around.longitude + east + 180) % 360) + 360) % 360) - 180;
  return { longitude, latitude };
}

function kmBetween(a: Spot, b: Spot): number {
  return greatCircleDistance([a.latitude, a.longitude], [b.latitude, b.longitude], UNITS.km);
}
