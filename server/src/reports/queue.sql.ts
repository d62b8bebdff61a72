import { sql } from "kysely";
import type { ReportReason } from "@alcove/contract/safety";
import type { Db, Tx } from "../platform/db/database.ts";
import type { EntryRow, ReportRow } from "./reports.sql.ts";
import type { ReportOutcome } from "./tables.ts";

export interface ReportGroup {
  readonly reported_no: number;
  /** Of the oldest open report about the member. */
  readonly report_id: string;
  readonly at: Date;
  readonly reason: ReportReason;
  readonly reports: number;
  readonly has_message: boolean;
}

/** By reported member. Scans the table, as the next four: for the operator only. */
export async function readGroups(db: Db, limit: number): Promise<ReportGroup[]> {
  const { rows } = await sql<ReportGroup>`
    select r.reported_no, (array_agg(r.report_id order by r.sequence_no))[1] as report_id, min(r.at) as at,
      (array_agg(r.reason order by ${isUrgent()} desc, r.sequence_no))[1] as reason,
      count(*)::int4 as reports,
      bool_or(exists (
        select from report_entries e
        where e.reported_no = r.reported_no and e.report_id = r.report_id and e.encrypted_message is not null
      )) as has_message
    from reports r
    where r.resolved_at is null
    group by r.reported_no
    order by bool_and(r.is_last), bool_or(${isUrgent()}) desc, min(r.sequence_no)
    limit ${limit}`.execute(db);
  return rows;
}

export async function readOpenEntries(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<(EntryRow & Pick<ReportRow, "reporter_no" | "reason" | "at">)[]> {
  const { rows } = await sql<EntryRow & Pick<ReportRow, "reporter_no" | "reason" | "at">>`
    select e.*, r.reporter_no, r.reason, r.at
    from (
      select r.*, bool_and(r.is_last) over about as are_last, bool_or(${isUrgent()}) over about as is_first, min(r.sequence_no) over about as oldest_no
      from reports r
      where r.resolved_at is null
      window about as (partition by r.reported_no)
    ) r
    join report_entries e on e.reported_no = r.reported_no and e.report_id = r.report_id
    order by r.are_last, r.is_first desc, r.oldest_no, ${isUrgent()} desc, r.sequence_no, e.sequence_no
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const isUrgent = () => sql`(r.reason = 'underage' and not r.is_last)`;

export async function findReport(db: Db, reportId: string): Promise<ReportRow | null> {
  const row = await db.selectFrom("reports").selectAll().where("report_id", "=", reportId).executeTakeFirst();
  return row ?? null;
}

export async function findEntry(db: Db, entryId: string): Promise<EntryRow | null> {
  const row = await db
    .selectFrom("report_entries")
    .selectAll()
    .where("entry_id", "=", entryId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the member if this is the oldest open report about them. */
export async function findGroup(db: Db, reportId: string): Promise<number | null> {
  const row = await db
    .selectFrom("reports as r")
    .select("reported_no")
    .where("report_id", "=", reportId)
    .where("resolved_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("reports as older")
            .whereRef("older.reported_no", "=", "r.reported_no")
            .whereRef("older.sequence_no", "<", "r.sequence_no")
            .where("older.resolved_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return row?.reported_no ?? null;
}

export async function markRead(db: Db, memberId: number, limit: number): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    with marked as (
      update reports set was_read = true
      where reported_no = ${memberId} and resolved_at is null and report_id in (
        select r.report_id from reports r
        where r.reported_no = ${memberId} and r.resolved_at is null
        order by ${isUrgent()} desc, r.sequence_no
        limit ${limit}
      )
      returning *
    )
    select * from marked r order by ${isUrgent()} desc, r.sequence_no`.execute(db);
  return rows;
}

/** Leaves reports open that have an entry since `markRead`. */
export async function closeRead(
  tx: Db | Tx,
  memberId: number,
  { outcome, at }: { outcome: ReportOutcome; at: Date },
): Promise<boolean> {
  const closed = await tx
    .updateTable("reports")
    .set({ resolved_at: at, outcome })
    .where("reported_no", "=", memberId)
    .where("resolved_at", "is", null)
    .where("was_read", "=", true)
    .returning("report_id")
    .execute();
  return closed.length > 0;
}

export async function closeReport(
  db: Db,
  { reported_no, report_id }: Pick<ReportRow, "reported_no" | "report_id">,
  at: Date,
): Promise<void> {
  await db
    .updateTable("reports")
    .set({ resolved_at: at, outcome: "resolved" })
    .where("reported_no", "=", reported_no)
    .where("report_id", "=", report_id)
    .where("resolved_at", "is", null)
    .execute();
}
