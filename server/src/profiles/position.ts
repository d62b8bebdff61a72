import type { Tx } from "../platform/db/database.ts";
import * as rows from "./profiles.sql.ts";

/** The middle of a grid cell: the exact position is known to nobody. */
export interface Place {
  readonly cell: number;
  readonly region: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** Stores where a member is, already snapped, and when it told. */
export async function setPlace(tx: Tx, memberId: number, place: Place, at: Date): Promise<void> {
  await rows.updateSearch(tx, memberId, {
    cell: place.cell,
    region: place.region,
    longitude: place.longitude,
    latitude: place.latitude,
    gps_updated_at: at,
  });
}
