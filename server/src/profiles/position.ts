import type { Tx } from "../platform/db/database.ts";
import * as rows from "./profiles.sql.ts";

/** The centre of a grid cell. The exact position is never stored. */
export interface Position {
  readonly cell: number;
  readonly region: number;
  readonly longitude: number;
  readonly latitude: number;
}

export async function setPosition(tx: Tx, memberId: number, position: Position, at: Date): Promise<void> {
  await rows.updateSearch(tx, memberId, {
    cell: position.cell,
    region: position.region,
    longitude: position.longitude,
    latitude: position.latitude,
    gps_updated_at: at,
  });
}
