import { type Insertable, type Selectable, sql } from "kysely";
import type { CaseKind, CaseRule, CaseState } from "@alcove/contract/cases";
import type { ReportReason } from "@alcove/contract/safety";
import type { Db, Tx } from "../platform/db/database.ts";
import type { CasesTables } from "./tables.ts";

export type CaseRow = Selectable<CasesTables["cases"]>;

const ACCUSED_LOCK = 0x616c_6361;

export const nextNo = () => sql<number>`nextval('case_sequence')`;

/** Lock order: after the members, before the case's row. */
export async function lockAccused(tx: Tx, accused: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ACCUSED_LOCK}::int4, ${accused % 2 ** 31}::int4)`.execute(tx);
}

/** The unseen case, which further reports join. */
export async function findWaiting(db: Db, accused: number, kind: CaseKind): Promise<number | null> {
  const row = await db
    .selectFrom("cases")
    .select("case_no")
    .where("accused_no", "=", accused)
    .where("kind", "=", kind)
    .where("decided_on", "is", null)
    .where("looked_on", "is", null)
    .orderBy("sequence_no")
    .limit(1)
    .executeTakeFirst();
  return row?.case_no ?? null;
}

export async function insertCase(
  tx: Tx,
  row: Omit<Insertable<CasesTables["cases"]>, "sequence_no">,
): Promise<void> {
  await tx
    .insertInto("cases")
    .values({ ...row, sequence_no: nextNo() })
    .execute();
}

/** Returns false if a look came first. */
export async function joinCase(tx: Tx, caseNo: number, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable("cases")
    .set({ newest_report_at: at })
    .where("case_no", "=", caseNo)
    .where("looked_on", "is", null)
    .where("decided_on", "is", null)
    .returning("case_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function raiseRank(tx: Tx, caseNo: number, rank: number): Promise<void> {
  await tx
    .updateTable("cases")
    .set({ rank })
    .where("case_no", "=", caseNo)
    .where("rank", ">", rank)
    .execute();
}

export async function readCase(db: Db, caseNo: number): Promise<CaseRow | null> {
  const row = await db.selectFrom("cases").selectAll().where("case_no", "=", caseNo).executeTakeFirst();
  return row ?? null;
}

export async function readCases(db: Db, numbers: readonly number[]): Promise<CaseRow[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom("cases")
    .selectAll()
    .where("case_no", "=", sql<number>`any(${numbers}::int8[])`)
    .execute();
}

export async function lockCase(tx: Tx, caseNo: number): Promise<CaseRow | null> {
  const row = await tx
    .selectFrom("cases")
    .selectAll()
    .where("case_no", "=", caseNo)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function readCasesAbout(db: Db, accused: number): Promise<CaseRow[]> {
  return db
    .selectFrom("cases")
    .selectAll()
    .where("accused_no", "=", accused)
    .orderBy("sequence_no")
    .execute();
}

export async function markLooked(db: Db, caseNo: number, day: string): Promise<void> {
  await db
    .updateTable("cases")
    .set({ looked_on: day })
    .where("case_no", "=", caseNo)
    .where("looked_on", "is", null)
    .execute();
}

export async function setDecided(
  tx: Tx,
  caseNo: number,
  { decided_on, keep_until }: { decided_on: string | null; keep_until: string | null },
): Promise<void> {
  await tx.updateTable("cases").set({ decided_on, keep_until }).where("case_no", "=", caseNo).execute();
}

/** The next look counts as the first. */
export async function reopenCase(tx: Tx, caseNo: number): Promise<void> {
  await tx
    .updateTable("cases")
    .set({ decided_on: null, keep_until: null, looked_on: null })
    .where("case_no", "=", caseNo)
    .execute();
}

export interface ListedCase extends Pick<CaseRow, "case_no" | "kind" | "rank" | "opened_on" | "due_at"> {
  readonly state: CaseState;
  readonly reason: ReportReason | null;
  readonly reports: number;
  readonly has_message: boolean;
}

export interface CaseFilter {
  /** Null: all but decided ones. */
  readonly state: CaseState | null;
  readonly kind: CaseKind | null;
  readonly rule: CaseRule | null;
  readonly caseNo: number | null;
}

/** Waiting cases in the order of work, decided ones newest first. Scans the table: for the operator only. */
export async function readQueue(
  db: Db,
  { state, kind, rule, caseNo }: CaseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedCase[]> {
  const order = state === "decided" ? sql`l.sequence_no desc` : sql`l.rank, l.sequence_no`;
  const { rows } = await sql<ListedCase>`
    select l.case_no, l.kind, l.rank, l.opened_on, l.due_at, l.state,
      (select r.reason from reports r where r.case_no = l.case_no
        order by ${isUrgent("l.rank")} desc, r.sequence_no limit 1) as reason,
      (select count(*)::int4 from reports r where r.case_no = l.case_no) as reports,
      exists (select from case_evidence e where e.case_no = l.case_no and e.report_no is not null
        and e.encrypted_content is not null) as has_message
    from (
      select c.*, case
        when exists (select from case_decisions d where d.case_no = c.case_no and d.appeal_state = 'open') then 'appealed'
        when c.decided_on is not null then 'decided'
        when c.looked_on is null then 'open'
        else 'looked_at' end as state
      from cases c
      where ${kind}::text is null or c.kind = ${kind}::text
    ) as l
    where case
        when ${caseNo}::int8 is not null then l.case_no = ${caseNo}::int8
        when ${state}::text is null then l.state <> 'decided'
        else l.state = ${state}::text end
      and (${rule}::text is null
        or exists (select from case_decisions d where d.case_no = l.case_no and d.rule = ${rule}::text))
    order by ${order}
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const isUrgent = (rank: string) => sql`(r.reason in ('underage', 'threat') and ${sql.ref(rank)} = 0)`;

export async function countWaitingThreats(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("cases")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("kind", "=", "threat")
    .where("decided_on", "is", null)
    .where("looked_on", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Scans the table: for a job only. */
export async function findKeptUntil(db: Db, day: string): Promise<number[]> {
  const rows = await db
    .selectFrom("cases")
    .select("case_no")
    .where("keep_until", "<", day)
    .where("decided_on", "is not", null)
    .execute();
  return rows.map(({ case_no }) => case_no);
}

export async function dropKey(tx: Tx, caseNo: number): Promise<void> {
  await tx
    .updateTable("cases")
    .set({ key_id: null, encrypted_accused: null })
    .where("case_no", "=", caseNo)
    .execute();
}

export async function deleteCase(tx: Tx, caseNo: number): Promise<void> {
  for (const table of ["cases", "case_decisions"] as const)
    await tx.deleteFrom(table).where("case_no", "=", caseNo).execute();
}

export function caseKeys(db: Db | Tx) {
  return db.selectFrom("cases").select("key_id");
}

/** Scans the table: for a restore only. */
export async function findCasesWithoutKey(tx: Tx): Promise<number[]> {
  const rows = await tx
    .selectFrom("cases")
    .select("case_no")
    .where("key_id", "is not", null)
    .where("key_id", "not in", (query) => query.selectFrom("data_keys").select("key_id"))
    .execute();
  return rows.map(({ case_no }) => case_no);
}
