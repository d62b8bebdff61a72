import { greatCircleDistance, UNITS } from "h3-js";
import type { SampleProfile } from "./sample-profiles.ts";

export interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

export interface Neighbourhood extends Position {
  readonly language: string;
}

const MAX_DISTANCE_KM = 30;
/** Speakers of the visitor's language live so many times nearer, the others so much farther. */
const SPEAKERS_NEARER = 6;
const OTHERS_FARTHER_KM = 12;
const KM_PER_DEGREE = 111.2;

/**
 * Visitors near each other share the position of the oldest member, so that a new or moving visitor does not move all
 * sample members.
 */
export function neighbourhoodsOf(
  visitors: readonly (Neighbourhood & { memberId: number })[],
): Neighbourhood[] {
  const neighbourhoods: Neighbourhood[] = [];
  for (const visitor of visitors.toSorted((a, b) => a.memberId - b.memberId)) {
    if (!neighbourhoods.some((centre) => belongsTo(centre, visitor))) neighbourhoods.push(visitor);
  }
  return neighbourhoods;
}

export function belongsTo(neighbourhood: Position, position: Position): boolean {
  return kmBetween(neighbourhood, position) <= MAX_DISTANCE_KM;
}

/** Speakers of the place's language come first, otherwise in the same order. */
export function speakersFirst<Item>(
  items: readonly Item[],
  languagesOf: (item: Item) => { spoken: string; local: string },
): Item[] {
  const isSpeaker = (item: Item) => languagesOf(item).spoken === languagesOf(item).local;
  return [...items.filter(isSpeaker), ...items.filter((item) => !isSpeaker(item))];
}

export function homeOf(profile: SampleProfile, centre: Neighbourhood): Position {
  const { bearing } = profile;
  const km =
    profile.language === centre.language ? profile.km / SPEAKERS_NEARER : profile.km + OTHERS_FARTHER_KM;
  const north = (km * Math.cos(bearing)) / KM_PER_DEGREE;
  const latitude = Math.max(-89, Math.min(89, centre.latitude + north));
  const east = (km * Math.sin(bearing)) / (KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const longitude = ((((centre.longitude + east + 180) % 360) + 360) % 360) - 180;
  return { longitude, latitude };
}

function kmBetween(a: Position, b: Position): number {
  return greatCircleDistance([a.latitude, a.longitude], [b.latitude, b.longitude], UNITS.km);
}
