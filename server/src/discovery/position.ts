import { parseLocation } from "@alcove/contract/fields";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, MemberRef } from "../platform/context.ts";
import { refuse, refuseFields } from "../platform/errors.ts";
import { setPlace } from "../profiles/index.ts";
import { cellAt, middleOf, regionOf } from "./cells.ts";
import { noteActivity, relist } from "./search-index.ts";
import * as rows from "./search-index.sql.ts";

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** A member is in another grid cell than before, of which this is the middle. */
    member_moved: { no: number; longitude: number; latitude: number };
  }
}

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * Stores where a member is, snapped to the middle of its grid cell before anything else happens: the exact position
 * is stored and logged nowhere.
 */
export async function saveLocation(deps: Deps, me: MemberRef, location: string): Promise<void> {
  const exact = parseLocation(location);
  if (!exact) throw refuseFields({ location: "location_invalid" });
  const region = await deps.db.transaction().execute((tx) => moveMember(tx, deps, me, exact));
  await noteActivity(deps, { no: me.no, region });
}

/** The search row changes only with the cell, the time of the last position always. Answers the region. */
export async function moveMember(tx: Tx, deps: Deps, me: MemberRef, exact: Position): Promise<number> {
  const cell = cellAt(exact.longitude, exact.latitude);
  const region = regionOf(cell);
  const middle = middleOf(cell);
  const before = await rows.lockPlace(tx, me.no);
  if (!before) throw refuse("login_required");
  await setPlace(tx, me.no, { cell, region, ...middle }, deps.clock.now());
  if (before.cell !== cell) {
    await relist(tx, deps, me.no, before.region);
    await deps.consequences.follow(tx, "member_moved", { no: me.no, ...middle });
  }
  return region;
}
