import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { nextNo } from "./cases.sql.ts";
import type { CasesTables } from "./tables.ts";

export type ReportRow = Selectable<CasesTables["reports"]>;
type ReportKey = Pick<ReportRow, "case_no" | "report_no">;

/** Returns the number of the reporter's report for this reason. */
export async function insertReport(
  tx: Tx,
  report: Omit<Insertable<CasesTables["reports"]>, "sequence_no"> & { reporter_no: number },
): Promise<number> {
  const { report_no } = await tx
    .insertInto("reports")
    .values({ ...report, sequence_no: nextNo() })
    .onConflict((conflict) =>
      conflict
        .columns(["case_no", "reporter_no", "reason"])
        .doUpdateSet({ is_press: sql<boolean>`reports.is_press or excluded.is_press` }),
    )
    .returning("report_no")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("reports_given")
    .values({ reporter_no: report.reporter_no, report_no, case_no: report.case_no })
    .onConflict((conflict) => conflict.columns(["reporter_no", "report_no"]).doNothing())
    .execute();
  return report_no;
}

export async function readGiven(db: Db, reporter: number): Promise<ReportKey[]> {
  return db
    .selectFrom("reports_given")
    .select(["case_no", "report_no"])
    .where("reporter_no", "=", reporter)
    .execute();
}

/** Newest first. */
export async function readReports(db: Db, keys: readonly ReportKey[]): Promise<ReportRow[]> {
  if (keys.length === 0) return [];
  return db
    .selectFrom("reports")
    .selectAll()
    .where("case_no", "=", anyCase(keys))
    .where("report_no", "=", sql<number>`any(${keys.map(({ report_no }) => report_no)}::int8[])`)
    .orderBy("sequence_no", "desc")
    .execute();
}

/** Oldest first. */
export async function readReportsOf(db: Db, cases: readonly { case_no: number }[]): Promise<ReportRow[]> {
  if (cases.length === 0) return [];
  return db
    .selectFrom("reports")
    .selectAll()
    .where("case_no", "=", anyCase(cases))
    .orderBy("sequence_no")
    .execute();
}

/** Reads every shard: for the operator only. */
export async function findCaseOfReport(db: Db, reportNo: number): Promise<number | null> {
  const row = await db
    .selectFrom("reports")
    .select("case_no")
    .where("report_no", "=", reportNo)
    .executeTakeFirst();
  return row?.case_no ?? null;
}

/** The caller holds the case's lock. */
export async function setContest(
  tx: Tx,
  { case_no, report_no }: ReportKey,
  encrypted_contest: Buffer,
): Promise<void> {
  await tx
    .updateTable("reports")
    .set({ encrypted_contest })
    .where("case_no", "=", case_no)
    .where("report_no", "=", report_no)
    .execute();
}

export async function deleteReportsOf(tx: Tx, caseNo: number): Promise<void> {
  const deleted = await tx
    .deleteFrom("reports")
    .where("case_no", "=", caseNo)
    .returning(["report_no", "reporter_no"])
    .execute();
  const reporters = deleted.flatMap(({ reporter_no }) => reporter_no ?? []).toSorted((a, b) => a - b);
  if (reporters.length === 0) return;
  await tx
    .deleteFrom("reports_given")
    .where("reporter_no", "=", sql<number>`any(${reporters}::int8[])`)
    .where("report_no", "=", sql<number>`any(${deleted.map(({ report_no }) => report_no)}::int8[])`)
    .execute();
}

export async function anonymizeReporter(tx: Tx, memberId: number): Promise<void> {
  const given = await tx
    .deleteFrom("reports_given")
    .where("reporter_no", "=", memberId)
    .returning(["case_no", "report_no"])
    .execute();
  if (given.length === 0) return;
  const numbers = sql<number>`any(${given.map(({ report_no }) => report_no)}::int8[])`;
  await tx
    .updateTable("reports")
    .set({ reporter_no: null, encrypted_contest: null })
    .where("case_no", "=", anyCase(given))
    .where("report_no", "=", numbers)
    .execute();
  await tx
    .updateTable("case_evidence")
    .set({ encrypted_detail: null })
    .where("case_no", "=", anyCase(given))
    .where("report_no", "=", numbers)
    .execute();
}

function anyCase(keys: readonly { case_no: number }[]) {
  const cases = [...new Set(keys.map(({ case_no }) => case_no))].toSorted((a, b) => a - b);
  return sql<number>`any(${cases}::int8[])`;
}
