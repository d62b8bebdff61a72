import type { Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { DiscoveryTables } from "./tables.ts";

export type LastPass = Selectable<DiscoveryTables["last_passes"]>;

/** One row by its key: the last pass that a member may take back. */
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

/** After another verdict, or once it was taken back. */
export async function forgetLastPass(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("last_passes").where("member_no", "=", memberId).execute();
}

/** When something else has come between the two, such as a block. */
export async function forgetPassOf(tx: Tx, memberId: number, target: number): Promise<void> {
  await tx.deleteFrom("last_passes").where("member_no", "=", memberId).where("target", "=", target).execute();
}

/** The passes of others of somebody who is gone. Reads the whole table, for a job alone. */
export async function deletePassesOf(db: Db, target: number): Promise<void> {
  await db.deleteFrom("last_passes").where("target", "=", target).execute();
}
