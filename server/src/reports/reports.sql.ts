import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReportsTables } from "./tables.ts";

export type ReportRow = Selectable<ReportsTables["reports"]>;
export type EntryRow = Selectable<ReportsTables["report_entries"]>;

type ReportKey = Pick<ReportRow, "reported_no" | "report_id">;

/** Returns the id of the pair's open report for this reason. */
export async function lockOpenReport(
  tx: Tx,
  report: Pick<ReportRow, "reported_no" | "report_id" | "reporter_no" | "reason" | "at" | "is_last">,
): Promise<string> {
  const { report_id } = await tx
    .insertInto("reports")
    .values({ ...report, resolved_at: null, outcome: null, sequence_no: nextNo() })
    .onConflict((conflict) =>
      conflict
        .columns(["reported_no", "reporter_no", "reason"])
        .where("resolved_at", "is", null)
        .doUpdateSet((row) => ({ reason: row.ref("excluded.reason") })),
    )
    .returning("report_id")
    .executeTakeFirstOrThrow();
  return report_id;
}

export async function readEntryIds(tx: Tx, { reported_no, report_id }: ReportKey): Promise<string[]> {
  const rows = await tx
    .selectFrom("report_entries")
    .select("entry_id")
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .execute();
  return rows.map(({ entry_id }) => entry_id);
}

export async function insertEntry(
  tx: Tx,
  entry: Omit<Insertable<ReportsTables["report_entries"]>, "sequence_no">,
): Promise<void> {
  await tx
    .insertInto("report_entries")
    .values({ ...entry, sequence_no: nextNo() })
    .execute();
  await tx
    .updateTable("reports")
    .set({ was_read: false })
    .where("reported_no", "=", entry.reported_no)
    .where("report_id", "=", entry.report_id)
    .execute();
}

export async function insertGiven(tx: Tx, given: ReportsTables["reports_given"]): Promise<void> {
  await tx
    .insertInto("reports_given")
    .values(given)
    .onConflict((conflict) => conflict.columns(["reporter_no", "report_id"]).doNothing())
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

export async function readReports(db: Db, keys: readonly ReportKey[]): Promise<ReportRow[]> {
  if (keys.length === 0) return [];
  return db
    .selectFrom("reports")
    .selectAll()
    .where("reported_no", "=", anyReported(keys))
    .where("report_id", "=", anyId(keys))
    .orderBy("sequence_no")
    .execute();
}

export async function readEntries(db: Db, keys: readonly ReportKey[]): Promise<EntryRow[]> {
  if (keys.length === 0) return [];
  return db
    .selectFrom("report_entries")
    .selectAll()
    .where("reported_no", "=", anyReported(keys))
    .where("report_id", "=", anyId(keys))
    .orderBy("sequence_no")
    .execute();
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

/** Returns the deleted entries. */
export async function deleteReport(
  tx: Tx,
  { reported_no, report_id, reporter_no }: Pick<ReportRow, "reported_no" | "report_id" | "reporter_no">,
): Promise<EntryRow[]> {
  const report = await tx
    .deleteFrom("reports")
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .returning("report_id")
    .executeTakeFirst();
  if (!report) return [];
  await deleteGiven(tx, [{ report_id, reporter_no }]);
  return tx
    .deleteFrom("report_entries")
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .returningAll()
    .execute();
}

/** Returns the keys of the deleted reports. */
export async function deleteReportsAbout(tx: Tx, memberId: number): Promise<number[]> {
  const reports = await tx
    .deleteFrom("reports")
    .where("reported_no", "=", memberId)
    .returning(["report_id", "reporter_no"])
    .execute();
  const entries = await tx
    .deleteFrom("report_entries")
    .where("reported_no", "=", memberId)
    .returning("key_id")
    .execute();
  await deleteGiven(tx, reports);
  return entries.map(({ key_id }) => key_id);
}

/** Scans the tables: for a restore only. */
export async function deleteReportsWithoutKey(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("report_entries")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("data_keys").whereRef("data_keys.key_id", "=", "report_entries.key_id"))),
    )
    .execute();
  const deleted = await tx
    .deleteFrom("reports")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("report_entries")
            .whereRef("report_entries.reported_no", "=", "reports.reported_no")
            .whereRef("report_entries.report_id", "=", "reports.report_id"),
        ),
      ),
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
  await db
    .deleteFrom("reports_given")
    .where("reporter_no", "=", sql<number>`any(${reporters}::int8[])`)
    .where("report_id", "=", anyId(reports))
    .execute();
}

export async function anonymizeReporter(tx: Tx, memberId: number): Promise<void> {
  const given = await tx
    .deleteFrom("reports_given")
    .where("reporter_no", "=", memberId)
    .returning(["reported_no", "report_id"])
    .execute();
  if (given.length === 0) return;
  await tx
    .updateTable("reports")
    .set({ reporter_no: null })
    .where("reported_no", "=", anyReported(given))
    .where("report_id", "=", anyId(given))
    .execute();
  await tx
    .updateTable("report_entries")
    .set({ encrypted_detail: null })
    .where("reported_no", "=", anyReported(given))
    .where("report_id", "=", anyId(given))
    .execute();
}

export function reportKeys(db: Db | Tx) {
  return db.selectFrom("report_entries").select("key_id");
}

const nextNo = () => sql<number>`nextval('report_sequence')`;

function anyReported(keys: readonly Pick<ReportKey, "reported_no">[]) {
  const members = keys.map(({ reported_no }) => reported_no).toSorted((a, b) => a - b);
  return sql<number>`any(${members}::int8[])`;
}

function anyId(keys: readonly Pick<ReportKey, "report_id">[]) {
  return sql<string>`any(${keys.map(({ report_id }) => report_id)}::uuid[])`;
}
