import type { Insertable } from "kysely";
import type { Db, Tables, Tx } from "../platform/database.ts";

export async function insertEntry(db: Db, entry: Insertable<Tables["operator_log"]>): Promise<void> {
  await db.insertInto("operator_log").values(entry).execute();
}

/** Takes name and reasons out of what operators did to a member; that and when something was done stays. */
export async function forgetSubject(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ subject: "a deleted member", reason: null })
    .where("subject", "=", userId)
    .execute();
}
