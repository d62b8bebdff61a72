import { parseLocation } from "@alcove/contract/fields";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import { setPosition } from "../../profiles/index.ts";
import { cellAt, centreOf, regionOf } from "./cells.ts";
import { recordActivity, updateSearchRow } from "../search/search-index.ts";
import * as rows from "../search/search-index.sql.ts";

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * Stores only the centre of the grid cell. The exact position is never stored or logged.
 */
export async function saveLocation(ctx: AppContext, me: MemberRef, location: string): Promise<void> {
  const exact = parseLocation(location);
  if (!exact) throw validationError({ location: "location_invalid" });
  const region = await ctx.db.transaction().execute((tx) => moveMember(tx, ctx, me, exact));
  await recordActivity(ctx, { memberId: me.memberId, region });
}

/** Returns the region. */
export async function moveMember(tx: Tx, ctx: AppContext, me: MemberRef, exact: Position): Promise<number> {
  const cell = cellAt(exact.longitude, exact.latitude);
  const region = regionOf(cell);
  const centre = centreOf(cell);
  const before = await rows.lockPosition(tx, me.memberId);
  if (!before) throw new ApiError("login_required");
  await setPosition(tx, me.memberId, { cell, region, ...centre }, ctx.clock.now());
  if (before.cell !== cell) {
    await updateSearchRow(tx, ctx, me.memberId, before.region);
    await ctx.domainEvents.emit(tx, "member_moved", { memberId: me.memberId, ...centre });
  }
  return region;
}
