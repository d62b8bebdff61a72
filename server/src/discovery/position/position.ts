import { parseLocation } from "@alcove/contract/fields";
import type { LocationPrecision } from "@alcove/contract/users";
import { ceilTo, floorTo, MINUTE_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import { enterPlace, setLocationPrecision, setPosition } from "../../profiles/index.ts";
import { quotaDay } from "../quotas.ts";
import { recordActivity, updateSearchRow } from "../search/search-index.ts";
import * as rows from "../search/search-index.sql.ts";
import { cellAt, centreOf, regionOf, snapCell } from "./cells.ts";
import { placeOf } from "./places.ts";
import { coarsen, countMove, type CountedPosition, type MoveRule } from "./counted-moves.ts";

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

type Stored = NonNullable<Awaited<ReturnType<typeof rows.lockPosition>>>;

/** The exact position is never stored or logged, only the centre of the grid cell. */
export async function saveLocation(
  ctx: AppContext,
  me: MemberRef,
  location: string,
  rule: MoveRule = countMove,
): Promise<void> {
  const exact = parseLocation(location);
  if (!exact) throw validationError({ location: "location_invalid" });
  await ctx.encryption.keys.find(me.memberId); // outside of the transaction, which would wait for a second connection
  const region = await ctx.db.transaction().execute((tx) => moveMember(tx, ctx, me, exact, rule));
  await recordActivity(ctx, { memberId: me.memberId, region });
}

export async function moveMember(
  tx: Tx,
  ctx: AppContext,
  me: MemberRef,
  exact: Position,
  rule: MoveRule = countMove,
): Promise<number> {
  const before = await lockPosition(tx, me);
  const cell = snapCell(cellAt(exact.longitude, exact.latitude), before.location_precision);
  const now = ctx.clock.now();
  const day = quotaDay(ctx);
  const counted = rule(countedOf(before), cell, { now, day });
  // The first position is no change, and keeps the moves of a former account.
  const isContinued = before.cell === null && before.cell_changed_on === day;
  const changes = isContinued ? before.cell_changes : counted.changes;
  return storePosition(tx, ctx, me, before, { cell, sentAt: now, counted: { ...counted, changes } });
}

/** A coarser choice snaps the stored positions at once, a finer one the next position. */
export async function saveLocationPrecision(
  ctx: AppContext,
  me: MemberRef,
  precision: LocationPrecision,
): Promise<void> {
  await ctx.encryption.keys.find(me.memberId);
  await ctx.db.transaction().execute(async (tx) => {
    const before = await lockPosition(tx, me);
    if (before.location_precision === precision) return;
    await setLocationPrecision(tx, me.memberId, precision);
    const counted = countedOf(before);
    if (!counted) return;
    await storePosition(tx, ctx, me, before, {
      cell: snapCell(before.sent_cell!, precision),
      sentAt: before.gps_updated_at!,
      counted: coarsen(counted, precision, quotaDay(ctx)),
    });
  });
}

async function lockPosition(tx: Tx, { memberId }: MemberRef): Promise<Stored> {
  const stored = await rows.lockPosition(tx, memberId);
  if (!stored) throw new ApiError("login_required");
  return stored;
}

function countedOf(stored: Stored): CountedPosition | null {
  if (stored.cell === null) return null;
  return {
    cell: stored.cell,
    at: stored.cell_counted_at!,
    changes: stored.cell_changes,
    changedOn: stored.cell_changed_on!,
  };
}

async function storePosition(
  tx: Tx,
  ctx: AppContext,
  { memberId }: MemberRef,
  before: Stored,
  { cell, sentAt, counted }: { cell: number; sentAt: Date; counted: CountedPosition },
): Promise<number> {
  const place = placeOf(ctx, { memberId, cell: counted.cell });
  const region = regionOf(place.cell);
  await setPosition(tx, memberId, {
    cell: counted.cell,
    region,
    // Rounded up, so that no move faster than allowed counts.
    cell_counted_at: ceilTo(counted.at, MINUTE_MS),
    cell_changes: counted.changes,
    cell_changed_on: counted.changedOn,
    sent_cell: cell,
    gps_updated_at: floorTo(sentAt, MINUTE_MS),
  });
  if (counted.cell !== before.cell) {
    await enterPlace(tx, ctx, memberId, place.cell);
    await updateSearchRow(tx, ctx, memberId, before.region);
    await ctx.domainEvents.emit(tx, "member_moved", { memberId, ...centreOf(counted.cell) });
  }
  return region;
}
