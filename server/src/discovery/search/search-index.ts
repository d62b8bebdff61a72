import { DAY_MS } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { FAR, NEAR, parentOf, regionOf } from "../position/cells.ts";
import { placeOf } from "../position/places.ts";
import * as rows from "./search-index.sql.ts";
import { freshSince } from "./chances.ts";
import { countOrderInputs } from "./order-inputs.sql.ts";
import { chordRangeOf, HAS_AREAS, ONLY_LIKED_SHIFT, SEX_BIT, SOUGHT_SEX_BITS } from "./mutual-filter.ts";
import { drawRandomRank, slotOf } from "./random-slots.ts";

/** Days since 1970 in UTC. */
export function activeDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/**
 * Only active members with a position who have not paused and are not limited have a search row.
 *
 * The profile's lock lets the later of two simultaneous changes see the earlier one.
 */
export async function updateSearchRow(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  previousRegion: number | null = null,
): Promise<void> {
  const position = await rows.lockPosition(tx, memberId);
  if (!position) return;
  const member = await rows.readSearchProfile(tx, memberId);
  const isMoved = previousRegion !== null && previousRegion !== position.region;
  const inputs = isMoved ? await rows.takeOrderInputs(tx, previousRegion, memberId) : undefined;
  if (position.region === null || position.cell === null) return;
  if (!member) return rows.deleteSearchable(tx, position.region, memberId);

  // A restoration of the account is no visit.
  const day = activeDay(new Date(member.visitedOn));
  const place = placeOf(ctx, { memberId, cell: position.cell });
  const [x, y, z] = place.vector;
  const range = chordRangeOf(member.filter);
  const counts = await countOrderInputs(tx, memberId, freshSince(ctx.clock.now()));
  const row = {
    member_no: memberId,
    region: regionOf(place.cell),
    cell: place.cell,
    near_cell: parentOf(place.cell, NEAR),
    far_cell: parentOf(place.cell, FAR),
    x,
    y,
    z,
    birth_month: member.birthMonth,
    sex: SEX_BIT[member.sex],
    sought_sexes: soughtSexesOf(member),
    sought_min_age: member.filter.minAge,
    sought_max_age: member.filter.maxAge,
    min_chord_squared: range.min,
    max_chord_squared: range.max,
    active_day: day,
    slot: slotOf(day, drawRandomRank()),
    waiting_likes: counts.waitingLikes,
    fresh_matches: counts.freshMatches,
  };
  await rows.upsertSearchable(tx, row, inputs ?? { shown_day: day });
}

function soughtSexesOf({ filter, onlyLiked, hasAreas }: rows.SearchProfile): number {
  const sought = SOUGHT_SEX_BITS[filter.sex] << (onlyLiked ? ONLY_LIKED_SHIFT : 0);
  return hasAreas ? sought | HAS_AREAS : sought;
}

export async function removeSearchRow(tx: Tx, memberId: number): Promise<void> {
  const position = await rows.lockPosition(tx, memberId);
  if (position?.region != null) await rows.deleteSearchable(tx, position.region, memberId);
}

export async function recordVisit(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const region = await rows.findRegion(tx, memberId);
  if (region === null) return;
  const day = activeDay(ctx.clock.now());
  await rows.updateActivity(tx, { memberId, region, day, slot: slotOf(day, drawRandomRank()) });
}

const recorded = new WeakMap<Db, BoundedCache<number, string>>();

export async function recordActivity(
  ctx: AppContext,
  member: { memberId: number; region: number },
): Promise<void> {
  const day = activeDay(ctx.clock.now());
  const known = recorded.get(ctx.db) ?? new BoundedCache();
  recorded.set(ctx.db, known);
  const entry = `${member.region} ${day}`;
  if (known.get(member.memberId) === entry) return;
  await rows.updateActivity(ctx.db, { ...member, day, slot: slotOf(day, drawRandomRank()) });
  known.set(member.memberId, entry);
}
