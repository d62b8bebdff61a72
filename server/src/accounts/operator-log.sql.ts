import type { CaseRule } from "@alcove/contract/cases";
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

/** Newest first, as far as the member may read them on the day. */
export function readShownActions(db: Db, memberId: number, day: string) {
  return db
    .selectFrom("operator_log")
    .select(["at", "action", "case_no", "case_rule"])
    .where("subject_no", "=", memberId)
    .where((where) =>
      where.or([
        where("case_no", "is", null),
        where("case_rule", "is not", null),
        where("shows_on", "<=", day),
      ]),
    )
    .orderBy("sequence_no", "desc")
    .execute();
}

/** Null while the case waits for a decision or its announcement, also once more: the look points to no open case. */
export async function findCaseRule(db: Db, caseNo: number, subject: number): Promise<CaseRule | null> {
  const { rows: waiting } = await sql<{ case_no: number }>`
    select case_no from cases where case_no = ${caseNo}::int8 and decided_on is null
    union all
    select case_no from case_decisions where case_no = ${caseNo}::int8 and state = 'waiting'`.execute(db);
  if (waiting.length > 0) return null;
  const row = await db
    .selectFrom("operator_log")
    .select("case_rule")
    .where("case_no", "=", caseNo)
    .where("subject_no", "=", subject)
    .where("case_rule", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row?.case_rule ?? null;
}

export async function setCaseRule(tx: Tx, caseNo: number, subject: number, rule: CaseRule): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ case_rule: rule })
    .where("case_no", "=", caseNo)
    .where("subject_no", "=", subject)
    .where("case_rule", "is", null)
    .execute();
}

export async function setShownFrom(tx: Tx, caseNo: number, day: string): Promise<void> {
  await tx
    .updateTable("operator_log")
    .set({ shows_on: day })
    .where("case_no", "=", caseNo)
    .where("case_rule", "is", null)
    .where("shows_on", "is", null)
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
