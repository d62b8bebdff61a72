import type { Insertable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AccountsTables } from "./tables.ts";

export async function insertEntry(db: Db, entry: Insertable<AccountsTables["operator_log"]>): Promise<void> {
  await db.insertInto("operator_log").values(entry).execute();
}

/** Scans the table; for the operator only. */
export function readEntries(db: Db, subject: string | null, limit: number) {
  return db
    .selectFrom("operator_log")
    .select(["at", "action", "subject", "reason"])
    .$if(subject !== null, (query) => query.where("subject", "=", subject!))
    .orderBy("at", "desc")
    .limit(limit)
    .execute();
}

/** Removes the member's name and the reasons; action and time stay. */
export async function anonymizeSubject(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ subject: "a deleted member", reason: null })
    .where("subject", "=", userId)
    .execute();
}
