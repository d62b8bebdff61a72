import type { Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { DiscoveryTables } from "./tables.ts";

export type LastPass = Selectable<DiscoveryTables["last_passes"]>;

export async function readLastPass(db: Db, memberId: number): Promise<LastPass | null> {
  const row = await db
    .selectFrom("last_passes")
    .selectAll()
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertLastPass(tx: Tx, pass: LastPass): Promise<void> {
  const { member_no: _, ...changed } = pass;
  await tx
    .insertInto("last_passes")
    .values(pass)
    .onConflict((conflict) => conflict.column("member_no").doUpdateSet(changed))
    .execute();
}

export async function deleteLastPass(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("last_passes").where("member_no", "=", memberId).execute();
}

export async function deleteLastPassOf(tx: Tx, memberId: number, target: number): Promise<void> {
  await tx.deleteFrom("last_passes").where("member_no", "=", memberId).where("target", "=", target).execute();
}

/** Reads the whole table: for a job only. */
export async function deleteLastPassesAbout(db: Db, target: number): Promise<void> {
  await db.deleteFrom("last_passes").where("target", "=", target).execute();
}
