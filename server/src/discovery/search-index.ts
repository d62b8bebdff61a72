import { DAY_MS, MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { FAR, NEAR, parentOf, regionOf, vectorOf } from "./cells.ts";
import * as rows from "./search-index.sql.ts";
import { reachOf, SEX_BIT, SOUGHT_BITS } from "./mutual-filter.ts";
import { drawLot, slotOf } from "./random-slots.ts";

/** The days since 1970 in UTC: activity is known to the search by the day only. */
export function activeDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/**
 * Makes the search row say what the profile says: one row for an active member with a position, none otherwise.
 *
 * The profile is locked, so that of two changes at once the later one sees the earlier one. `leaving` is the region of
 * the row that there was, where the member has just left it.
 */
export async function relist(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  leaving: number | null = null,
): Promise<void> {
  const place = await rows.lockPlace(tx, memberId);
  if (!place) return;
  const member = await rows.findListed(tx, memberId);
  if (leaving !== null && leaving !== place.region) await rows.deleteSearchable(tx, leaving, memberId);
  if (place.region === null || place.cell === null) return;
  if (!member) return rows.deleteSearchable(tx, place.region, memberId);

  const now = ctx.clock.now();
  const [x, y, z] = vectorOf(place.cell);
  const reach = reachOf(member.filter);
  await rows.upsertSearchable(tx, {
    member_no: memberId,
    region: regionOf(place.cell),
    c7: place.cell,
    c6: parentOf(place.cell, NEAR),
    c4: parentOf(place.cell, FAR),
    x,
    y,
    z,
    dob: member.dateOfBirth,
    sex: SEX_BIT[member.sex],
    want: SOUGHT_BITS[member.filter.sex],
    want_amin: member.filter.minAge,
    want_amax: member.filter.maxAge,
    want_c2_min: reach.min,
    want_c2_max: reach.max,
    active_day: activeDay(now),
    slot: slotOf(activeDay(now), drawLot()),
    last_active: now,
  });
}

/** Takes a member out of the search. */
export async function unlist(tx: Tx, memberId: number): Promise<void> {
  const place = await rows.lockPlace(tx, memberId);
  if (place?.region != null) await rows.deleteSearchable(tx, place.region, memberId);
}

const ACTIVITY_MS = 15 * MINUTE_MS;

/** Remembers that a member is here: the day and its lot once a day, the time every quarter of an hour; otherwise writes nothing. */
export async function noteActivity(
  ctx: AppContext,
  member: { memberId: number; region: number },
): Promise<void> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - ACTIVITY_MS);
  const day = activeDay(now);
  await rows.bumpActivity(ctx.db, { ...member, day, slot: slotOf(day, drawLot()), now, before });
}
