import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { nextNo } from "./cases.sql.ts";
import type { CasesTables } from "./tables.ts";

export type EvidenceRow = Selectable<CasesTables["case_evidence"]>;

export async function insertEvidence(
  tx: Tx,
  row: Omit<Insertable<CasesTables["case_evidence"]>, "sequence_no">,
): Promise<void> {
  await tx
    .insertInto("case_evidence")
    .values({ ...row, sequence_no: nextNo() })
    .execute();
}

export async function readEvidenceIds(tx: Tx, caseNo: number, reportNo: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("case_evidence")
    .select("evidence_id")
    .where("case_no", "=", caseNo)
    .where("report_no", "=", reportNo)
    .execute();
  return rows.map(({ evidence_id }) => evidence_id);
}

export async function readEvidence(db: Db, cases: readonly number[]): Promise<EvidenceRow[]> {
  if (cases.length === 0) return [];
  return db
    .selectFrom("case_evidence")
    .selectAll()
    .where("case_no", "=", sql<number>`any(${cases}::int8[])`)
    .orderBy("sequence_no")
    .execute();
}

export async function deleteEvidence(tx: Tx, caseNo: number): Promise<EvidenceRow[]> {
  return tx.deleteFrom("case_evidence").where("case_no", "=", caseNo).returningAll().execute();
}

export function evidenceKeys(db: Db | Tx) {
  return db.selectFrom("case_evidence").select("key_id");
}

/** Scans the table: for a restore only. */
export async function deleteEvidenceWithoutKey(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("case_evidence")
    .where("key_id", "not in", (query) => query.selectFrom("data_keys").select("key_id"))
    .execute();
}
