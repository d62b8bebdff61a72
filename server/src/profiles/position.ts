import type { Selectable } from "kysely";
import type { LocationPrecision } from "@alcove/contract/users";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./profiles.sql.ts";
import type { ProfilesTables } from "./tables.ts";

export type Position = {
  readonly [Column in PositionColumn]: NonNullable<Selectable<ProfilesTables["profiles"]>[Column]>;
};

type PositionColumn =
  | "cell"
  | "region"
  | "sent_cell"
  | "gps_updated_at"
  | "cell_counted_at"
  | "cell_changes"
  | "cell_changed_on";

export async function setPosition(tx: Tx, memberId: number, position: Position): Promise<void> {
  await rows.updateSearch(tx, memberId, position);
}

export async function setMoves(
  tx: Tx,
  memberId: number,
  moves: Pick<Position, "cell_changes" | "cell_changed_on">,
): Promise<void> {
  await rows.updateSearch(tx, memberId, moves);
}

export async function setLocationPrecision(
  tx: Tx,
  memberId: number,
  location_precision: LocationPrecision,
): Promise<void> {
  await rows.updateSearch(tx, memberId, { location_precision });
}
