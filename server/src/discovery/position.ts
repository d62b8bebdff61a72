import { parseLocation } from "@alcove/contract/fields";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { setPosition } from "../profiles/index.ts";
import { cellAt, middleOf, regionOf } from "./cells.ts";
import { noteActivity, relist } from "./search-index.ts";
import * as rows from "./search-index.sql.ts";

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * Stores where a member is, snapped to the middle of its grid cell before anything else happens: the exact position
 * is stored and logged nowhere.
 */
export async function saveLocation(ctx: AppContext, me: MemberRef, location: string): Promise<void> {
  const exact = parseLocation(location);
  if (!exact) throw validationError({ location: "location_invalid" });
  const region = await ctx.db.transaction().execute((tx) => moveMember(tx, ctx, me, exact));
  await noteActivity(ctx, { memberId: me.memberId, region });
}

/** The search row changes only with the cell, the time of the last position always. Answers the region. */
export async function moveMember(tx: Tx, ctx: AppContext, me: MemberRef, exact: Position): Promise<number> {
  const cell = cellAt(exact.longitude, exact.latitude);
  const region = regionOf(cell);
  const middle = middleOf(cell);
  const before = await rows.lockPlace(tx, me.memberId);
  if (!before) throw new ApiError("login_required");
  await setPosition(tx, me.memberId, { cell, region, ...middle }, ctx.clock.now());
  if (before.cell !== cell) {
    await relist(tx, ctx, me.memberId, before.region);
    await ctx.domainEvents.emit(tx, "member_moved", { memberId: me.memberId, ...middle });
  }
  return region;
}
