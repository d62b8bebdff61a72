import { type Selectable, sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { ProfilesTables } from "./tables.ts";

export type HidingRow = Pick<
  Selectable<ProfilesTables["profiles"]>,
  "member_no" | "encrypted_areas" | "area_added_on" | "encrypted_places"
>;

export async function readHiding(db: Db, memberIds: readonly number[]): Promise<HidingRow[]> {
  const query = db
    .selectFrom("profiles")
    .select(["member_no", "encrypted_areas", "area_added_on", "encrypted_places"])
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`);
  return runPrepared(db, query.compile());
}

/** Returns false if another request changed the areas after `old` was read. */
export async function updateAreas(
  tx: Tx,
  memberId: number,
  old: Buffer | null,
  stored: { encrypted_areas: Buffer | null; area_added_on: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("profiles")
    .set(stored)
    .where("member_no", "=", memberId)
    .where(sql<boolean>`encrypted_areas is not distinct from ${old}::bytea`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updatePlaces(tx: Tx, memberId: number, encrypted: Buffer): Promise<void> {
  await tx
    .updateTable("profiles")
    .set({ encrypted_places: encrypted })
    .where("member_no", "=", memberId)
    .execute();
}
