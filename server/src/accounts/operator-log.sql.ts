import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { keyIdIn } from "../platform/keys/data-keys.sql.ts";
import type { AccountsTables } from "./tables.ts";

export async function insertEntry(
  tx: Tx,
  entry: Omit<Insertable<AccountsTables["operator_log"]>, "sequence_no">,
): Promise<void> {
  const sequence_no = sql<number>`nextval('operator_log_sequence')`;
  await tx
    .insertInto("operator_log")
    .values({ ...entry, sequence_no })
    .execute();
}

/** Scans the table: for the operator only. */
export function readEntries(
  db: Db,
  { subject, before, limit }: { subject: number | null; before: number | null; limit: number },
) {
  return db
    .selectFrom("operator_log")
    .select([
      "entry_id",
      "sequence_no",
      "at",
      "action",
      "subject_no",
      "subject_deleted",
      "encrypted_reason",
      "operator_id",
    ])
    .$if(subject !== null, (query) => query.where("subject_no", "=", subject))
    .$if(before !== null, (query) => query.where("sequence_no", "<", before))
    .orderBy("sequence_no", "desc")
    .limit(limit)
    .execute();
}

export function readActionsOn(db: Db, memberId: number) {
  return db
    .selectFrom("operator_log")
    .select(["at", "action", "case_no"])
    .where("subject_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .execute();
}

/** Scans the table: for a job only. Returns the encrypted reasons. */
export async function deleteEntriesBefore(tx: Tx, before: Date): Promise<Buffer[]> {
  const deleted = await tx
    .deleteFrom("operator_log")
    .where("at", "<", before)
    .returning("encrypted_reason")
    .execute();
  return deleted.flatMap(({ encrypted_reason }) => encrypted_reason ?? []);
}

export async function anonymizeSubject(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ subject_no: null, subject_deleted: true, encrypted_reason: null })
    .where("subject_no", "=", memberId)
    .execute();
}

export function reasonKeys(db: Db | Tx) {
  return db.selectFrom("operator_log").select(keyIdIn("encrypted_reason").as("key_id"));
}
