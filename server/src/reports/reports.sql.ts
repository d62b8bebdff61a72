import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReportOutcome, ReportsTables } from "./tables.ts";

export type ReportRow = Selectable<ReportsTables["reports"]>;

/** The same report again adds no row, but reopens a resolved one. Returns the stored key. */
export async function upsertReport(
  tx: Tx,
  report: Omit<ReportRow, "sequence_no">,
): Promise<number | undefined> {
  const row = await tx
    .insertInto("reports")
    .values({ ...report, sequence_no: sql`nextval('report_sequence')` })
    .onConflict((conflict) =>
      conflict
        .columns(["reported_no", "report_id"])
        .doUpdateSet((row) => ({
          at: report.at,
          sequence_no: row.ref("excluded.sequence_no"),
          resolved_at: null,
          outcome: null,
        }))
        .where("reports.resolved_at", "is not", null),
    )
    .returning("key_id")
    .executeTakeFirst();
  return row?.key_id;
}

export async function insertGiven(tx: Tx, given: ReportsTables["reports_given"]): Promise<void> {
  await tx
    .insertInto("reports_given")
    .values(given)
    .onConflict((conflict) => conflict.columns(["reporter_no", "report_id"]).doNothing())
    .execute();
}

/** Scans the table: for the operator only. */
export async function readOpen(db: Db, limit: number): Promise<ReportRow[]> {
  return db
    .selectFrom("reports")
    .selectAll()
    .where("resolved_at", "is", null)
    .orderBy("sequence_no")
    .limit(limit)
    .execute();
}

export async function readGiven(db: Db, reporterMemberId: number) {
  return db
    .selectFrom("reports_given")
    .select(["reported_no", "report_id"])
    .where("reporter_no", "=", reporterMemberId)
    .execute();
}

export async function readAbout(db: Db, reportedMemberId: number): Promise<ReportRow[]> {
  return db
    .selectFrom("reports")
    .selectAll()
    .where("reported_no", "=", reportedMemberId)
    .orderBy("sequence_no")
    .execute();
}

export async function readReports(
  db: Db,
  keys: readonly Pick<ReportRow, "reported_no" | "report_id">[],
): Promise<ReportRow[]> {
  if (keys.length === 0) return [];
  const reported = keys.map(({ reported_no }) => reported_no);
  const ids = keys.map(({ report_id }) => report_id);
  return db
    .selectFrom("reports")
    .selectAll()
    .where("reported_no", "=", sql<number>`any(${reported}::int8[])`)
    .where("report_id", "=", sql<string>`any(${ids}::uuid[])`)
    .orderBy("sequence_no")
    .execute();
}

/** Scans the table: for the operator only. */
export async function findReport(db: Db, reportId: string): Promise<ReportRow | null> {
  const row = await db.selectFrom("reports").selectAll().where("report_id", "=", reportId).executeTakeFirst();
  return row ?? null;
}

export async function closeReport(
  db: Db | Tx,
  { reported_no, report_id }: Pick<ReportRow, "reported_no" | "report_id">,
  { outcome, at }: { outcome: ReportOutcome; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable("reports")
    .set({ resolved_at: at, outcome })
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .where("resolved_at", "is", null)
    .returning("report_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Scans the table: for a job only. */
export async function findResolved(
  db: Db,
  before: Date,
): Promise<Pick<ReportRow, "reported_no" | "report_id" | "reporter_no">[]> {
  return db
    .selectFrom("reports")
    .select(["reported_no", "report_id", "reporter_no"])
    .where("resolved_at", "<", before)
    .execute();
}

/** Keeps a reopened report. */
export async function deleteResolved(
  tx: Tx,
  { reported_no, report_id }: Pick<ReportRow, "reported_no" | "report_id">,
  before: Date,
): Promise<ReportRow[]> {
  const deleted = await tx
    .deleteFrom("reports")
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .where("resolved_at", "<", before)
    .returningAll()
    .execute();
  await deleteGiven(tx, deleted);
  return deleted;
}

/** Returns the keys of the deleted reports. */
export async function deleteReportsAbout(tx: Tx, memberId: number): Promise<number[]> {
  const deleted = await tx
    .deleteFrom("reports")
    .where("reported_no", "=", memberId)
    .returning(["report_id", "reporter_no", "key_id"])
    .execute();
  await deleteGiven(tx, deleted);
  return deleted.map(({ key_id }) => key_id);
}

/** Scans the table: for a restore only. */
export async function deleteReportsWithoutKey(tx: Tx): Promise<void> {
  const deleted = await tx
    .deleteFrom("reports")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("data_keys").whereRef("data_keys.key_id", "=", "reports.key_id"))),
    )
    .returning(["report_id", "reporter_no"])
    .execute();
  await deleteGiven(tx, deleted);
}

async function deleteGiven(
  db: Db,
  reports: readonly Pick<ReportRow, "report_id" | "reporter_no">[],
): Promise<void> {
  const reporters = reports.flatMap(({ reporter_no }) => reporter_no ?? []).toSorted((a, b) => a - b);
  if (reporters.length === 0) return;
  const ids = reports.map(({ report_id }) => report_id);
  await db
    .deleteFrom("reports_given")
    .where("reporter_no", "=", sql<number>`any(${reporters}::int8[])`)
    .where("report_id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export async function anonymizeReporter(tx: Tx, memberId: number): Promise<void> {
  const given = await tx
    .deleteFrom("reports_given")
    .where("reporter_no", "=", memberId)
    .returning(["reported_no", "report_id"])
    .execute();
  if (given.length === 0) return;
  const reported = given.map(({ reported_no }) => reported_no).toSorted((a, b) => a - b);
  const ids = given.map(({ report_id }) => report_id);
  await tx
    .updateTable("reports")
    .set({ reporter_no: null, encrypted_detail: null })
    .where("reported_no", "=", sql<number>`any(${reported}::int8[])`)
    .where("report_id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export function reportKeys(db: Db | Tx) {
  return db.selectFrom("reports").select("key_id");
}
