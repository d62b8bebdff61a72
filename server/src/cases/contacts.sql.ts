import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { nextNo } from "./cases.sql.ts";
import type { CasesTables } from "./tables.ts";

export type NoticeRow = Selectable<CasesTables["member_notices"]>;

export async function insertContacts(tx: Tx, caseNo: number, members: readonly number[]): Promise<void> {
  if (members.length === 0) return;
  await tx
    .insertInto("case_contacts")
    .values(members.map((member_no) => ({ case_no: caseNo, member_no })))
    .onConflict((conflict) => conflict.columns(["case_no", "member_no"]).doNothing())
    .execute();
}

export async function readContacts(db: Db, caseNo: number): Promise<number[]> {
  const rows = await db
    .selectFrom("case_contacts")
    .select("member_no")
    .where("case_no", "=", caseNo)
    .orderBy("member_no")
    .execute();
  return rows.map(({ member_no }) => member_no);
}

export async function deleteContacts(tx: Tx, caseNo: number): Promise<void> {
  await tx.deleteFrom("case_contacts").where("case_no", "=", caseNo).execute();
}

/** Writes every shard. */
export async function deleteContactsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("case_contacts").where("member_no", "=", memberId).execute();
}

/** Returns false for a repetition. */
export async function insertNotice(
  tx: Tx,
  row: Omit<Insertable<CasesTables["member_notices"]>, "sequence_no">,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("member_notices")
    .values({ ...row, sequence_no: nextNo() })
    .onConflict((conflict) => conflict.columns(["member_no", "case_no", "kind"]).doNothing())
    .returning("notice_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function hasNotice(tx: Tx, memberId: number, caseNo: number): Promise<boolean> {
  const row = await tx
    .selectFrom("member_notices")
    .select("notice_id")
    .where("member_no", "=", memberId)
    .where("case_no", "=", caseNo)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first. */
export async function readNotices(db: Db, memberId: number): Promise<NoticeRow[]> {
  return db
    .selectFrom("member_notices")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .execute();
}

export async function markNoticesRead(db: Db, memberId: number): Promise<void> {
  await db
    .updateTable("member_notices")
    .set({ is_new: false })
    .where("member_no", "=", memberId)
    .where("is_new", "=", true)
    .execute();
}

export async function deleteNoticesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("member_notices").where("member_no", "=", memberId).execute();
}

/** Scans the table: for a job only. */
export async function deleteNoticesBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom("member_notices").where("created_on", "<", day).execute();
}

/**
 * The members who wrote to this one since the message id, also in conversations that a block has hidden. A statement for each
 * distribution column: Citus joins no tables of different ones.
 */
export async function findWriters(db: Db, memberId: number, sinceId: string): Promise<number[]> {
  const { rows: visible } = await sql<{ other_no: number }>`
    select other_no from inbox
    where member_no = ${memberId}::int8 and last_received_id >= ${sinceId}::uuid`.execute(db);
  const { rows: hidden } = await sql<{ pair: string; key_id: number }>`
    select least(member_no, other_no)::text || ':' || greatest(member_no, other_no)::text as pair, key_id
    from hidden_conversations where member_no = ${memberId}::int8`.execute(db);
  const { rows: senders } = await sql<{ sender_no: number }>`
    select distinct sender_no from hidden_messages
    where pair = any(${hidden.map(({ pair }) => pair)}::text[])
      and key_id = any(${hidden.map(({ key_id }) => key_id)}::int8[])
      and sender_no <> ${memberId}::int8 and message_id >= ${sinceId}::uuid`.execute(db);
  const writers = [...visible.map(({ other_no }) => other_no), ...senders.map(({ sender_no }) => sender_no)];
  return [...new Set(writers)].toSorted((a, b) => a - b);
}
