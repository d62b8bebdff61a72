import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { NoticesTables, NoticeState } from "./tables.ts";

export type NoticeRow = Selectable<NoticesTables["notices"]>;

export async function insertNotice(tx: Tx, notice: NoticeRow): Promise<void> {
  await tx.insertInto("notices").values(notice).execute();
}

export async function readNotice(db: Db, caseNo: number): Promise<NoticeRow | null> {
  const row = await db.selectFrom("notices").selectAll().where("case_no", "=", caseNo).executeTakeFirst();
  return row ?? null;
}

export async function readDueAt(db: Db, caseNo: number): Promise<Date | null> {
  const row = await db.selectFrom("cases").select("due_at").where("case_no", "=", caseNo).executeTakeFirst();
  return row?.due_at ?? null;
}

export async function dropHashes(db: Db, caseNo: number): Promise<void> {
  await db.updateTable("notices").set({ hashes: [] }).where("case_no", "=", caseNo).execute();
}

export async function readHits(db: Db, caseNo: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("notice_hits")
    .select(["member_no", "hit_case_no"])
    .where("case_no", "=", caseNo)
    .execute();
  return new Map(rows.map(({ member_no, hit_case_no }) => [member_no, hit_case_no]));
}

/** The cases of accounts that a notice found, or the notice of such a case. Reads every shard: for the operator only. */
export async function readRelated(db: Db, caseNo: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notice_hits")
    .select(["case_no", "hit_case_no"])
    .where((where) => where.or([where("case_no", "=", caseNo), where("hit_case_no", "=", caseNo)]))
    .orderBy("hit_case_no")
    .execute();
  return rows.map(({ case_no, hit_case_no }) => (case_no === caseNo ? hit_case_no : case_no));
}

export async function insertHit(tx: Tx, hit: NoticesTables["notice_hits"]): Promise<void> {
  await tx.insertInto("notice_hits").values(hit).execute();
}

/** Their case is decided, and no email about it is queued. */
export function readUnanswered(db: Db) {
  return db
    .selectFrom("notices as n")
    .innerJoin("cases as c", "c.case_no", "n.case_no")
    .select(["n.case_no", "n.state"])
    .where("n.state", "in", ["received", "appealed"])
    .where("c.decided_on", "is not", null)
    .execute();
}

/** Returns false if another process was first. */
export async function setState(
  tx: Tx,
  caseNo: number,
  { from, to }: { from: NoticeState; to: NoticeState },
): Promise<boolean> {
  const row = await tx
    .updateTable("notices")
    .set({ state: to })
    .where("case_no", "=", caseNo)
    .where("state", "=", from)
    .returning("case_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Also counts cases of accounts that a notice found. */
export async function countOverdue(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom("cases")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("kind", "=", "notice")
    .where("decided_on", "is", null)
    .where("due_at", "<=", now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Notices whose case is no longer kept. For a job only. */
export function readOver(db: Db) {
  return db
    .selectFrom("notices as n")
    .leftJoin("cases as c", "c.case_no", "n.case_no")
    .select(["n.case_no", "n.key_id"])
    .where("c.key_id", "is", null)
    .execute();
}

export async function deleteNotice(tx: Tx, caseNo: number): Promise<void> {
  await tx.deleteFrom("notice_hits").where("case_no", "=", caseNo).execute();
  await tx.deleteFrom("notices").where("case_no", "=", caseNo).execute();
}

export async function deleteHitsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("notice_hits").where("member_no", "=", memberId).execute();
}

export const noticeKeys = (db: Db | Tx) => db.selectFrom("notices").select("key_id");

export async function deleteNoticesWithoutKey(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("notices")
    .where("key_id", "not in", sql<number>`(select key_id from data_keys)`)
    .execute();
}
