import { parseLocation } from "@alcove/contract/fields";
import type { Deps, MemberRef } from "../platform/deps.ts";
import { refuse, refuseFields } from "../platform/refuse.ts";
import { setPlace } from "../profiles/index.ts";
import { cellAt, middleOf, regionOf } from "./cells.ts";
import { noteActivity, relist } from "./listing.ts";
import * as rows from "./listing.sql.ts";

/**
 * Stores where a member is, snapped to the middle of its grid cell before anything else happens: the exact position
 * is stored and logged nowhere.
 *
 * The search row changes only with the cell, the time of the last position always.
 */
export async function saveLocation(deps: Deps, me: MemberRef, location: string): Promise<void> {
  const exact = parseLocation(location);
  if (!exact) throw refuseFields({ location: "location_invalid" });
  const cell = cellAt(exact.longitude, exact.latitude);
  const region = regionOf(cell);

  await deps.db.transaction().execute(async (tx) => {
    const before = await rows.lockPlace(tx, me.no);
    if (!before) throw refuse("login_required");
    await setPlace(tx, me.no, { cell, region, ...middleOf(cell) }, deps.clock.now());
    if (before.cell !== cell) await relist(tx, deps, me.no, before.region);
  });
  await noteActivity(deps, { no: me.no, region });
}
