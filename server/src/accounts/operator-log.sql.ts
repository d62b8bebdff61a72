import type { Insertable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AccountsTables } from "./tables.ts";

export async function insertEntry(db: Db, entry: Insertable<AccountsTables["operator_log"]>): Promise<void> {
  await db.insertInto("operator_log").values(entry).execute();
}

/** The newest acts, of one member or of all; for the operator alone, who waits. */
export function readEntries(db: Db, subject: string | null, limit: number) {
  return db
    .selectFrom("operator_log")
    .select(["at", "act", "subject", "reason"])
    .$if(subject !== null, (query) => query.where("subject", "=", subject!))
    .orderBy("at", "desc")
    .limit(limit)
    .execute();
}

/** Takes name and reasons out of what operators did to a member; that and when something was done stays. */
export async function anonymizeSubject(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ subject: "a deleted member", reason: null })
    .where("subject", "=", userId)
    .execute();
}
