import type { Insertable, Selectable } from "kysely";
import type { CorrectedField } from "@alcove/contract/corrections";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ProfilesTables } from "./tables.ts";

type Table = ProfilesTables["corrections"];
export type CorrectionRow = Selectable<Table>;

/** The newest first. */
export async function readCorrections(db: Db, memberId: number): Promise<CorrectionRow[]> {
  return db
    .selectFrom("corrections")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("changed_on", "desc")
    .orderBy("field")
    .execute();
}

/** Replaces a decided request of the field. */
export async function upsertCorrection(tx: Tx, row: Insertable<Table>): Promise<void> {
  const { member_no: _, field: __, ...changed } = row;
  await tx
    .insertInto("corrections")
    .values(row)
    .onConflict((conflict) => conflict.columns(["member_no", "field"]).doUpdateSet(changed))
    .execute();
}

export async function endCorrection(
  tx: Tx,
  { memberId, field, id }: { memberId: number; field: CorrectedField; id: string },
  ending: { state: "done" | "rejected"; changed_on: string },
): Promise<boolean> {
  const row = await tx
    .updateTable("corrections")
    .set({ ...ending, encrypted_request: null })
    .where("member_no", "=", memberId)
    .where("field", "=", field)
    .where("correction_id", "=", id)
    .where("state", "=", "waiting")
    .returning("field")
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads every shard by index: for the operator only. */
export function readWaiting(db: Db, limit: number) {
  return db
    .selectFrom("corrections")
    .select(["correction_id", "changed_on", "field"])
    .where("state", "=", "waiting")
    .orderBy("changed_on")
    .orderBy("correction_id")
    .limit(limit)
    .execute();
}

/** Scans the table: for the operator only. */
export async function findWaiting(db: Db, id: string): Promise<CorrectionRow | null> {
  const row = await db
    .selectFrom("corrections")
    .selectAll()
    .where("correction_id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteCorrections(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("corrections").where("member_no", "=", memberId).execute();
}
