import { PLACE_RADIUS_KM } from "@alcove/contract/limits";
import type { Encryption } from "../../platform/keys/encryption.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import { cellAt, centreOf } from "./cells.ts";
import { chordSquaredBetween, EARTH_RADIUS_KM, type Vector, vectorAt } from "./distance.ts";

export interface Place {
  /** The grid cell that contains the point. It may be a neighbour of the member's own cell. */
  readonly cell: number;
  /** Rounded to float4 like the search rows. */
  readonly vector: Vector;
}

interface Located {
  readonly memberId: number;
  readonly cell: number;
}

export interface Secrets {
  readonly encryption: Pick<Encryption, "blindIndex">;
}

/** Rounding to float4 moves a point by less than a metre. */
const RADIUS_DEGREES = (((PLACE_RADIUS_KM - 0.001) / EARTH_RADIUS_KM) * 180) / Math.PI;
const RANDOM_BYTES = 6;

/**
 * Returns the one place of a member and cell. It never changes, so asking again gains nothing. All points around the
 * cell's centre are equally likely without the key, which is never rotated (docs/search.md, Secret places).
 */
export function placeOf({ encryption }: Secrets, located: Located): Place {
  const key = `${located.memberId},${located.cell}`;
  const cache = caches.get(encryption) ?? new BoundedCache();
  caches.set(encryption, cache);
  const place = cache.get(key) ?? computePlace(encryption.blindIndex(key, "secret place"), located.cell);
  cache.set(key, place);
  return place;
}

const caches = new WeakMap<Secrets["encryption"], BoundedCache<string, Place>>();

function computePlace(digest: Buffer, cell: number): Place {
  const random = (at: number) => digest.readUIntBE(at, RANDOM_BYTES) / 256 ** RANDOM_BYTES;
  const centre = centreOf(cell);
  // The root spreads the points evenly over the circle.
  const arc = RADIUS_DEGREES * Math.sqrt(random(0));
  const point = destination(centre.longitude, centre.latitude, arc, 2 * Math.PI * random(RANDOM_BYTES));
  const [x, y, z] = vectorAt(point);
  return {
    cell: cellAt(point.longitude, point.latitude),
    vector: [Math.fround(x), Math.fround(y), Math.fround(z)],
  };
}

type MaybeLocated = Pick<Located, "memberId"> & { readonly cell: number | null };

export function chordSquaredBetweenMembers(ctx: Secrets, a: MaybeLocated, b: MaybeLocated): number | null {
  if (a.cell === null || b.cell === null) return null;
  const [from, to] = [placeOf(ctx, { ...a, cell: a.cell }), placeOf(ctx, { ...b, cell: b.cell })];
  return chordSquaredBetween(from.vector, to.vector);
}
