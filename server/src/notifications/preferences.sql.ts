import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { NotificationsTables } from "./tables.ts";

export type Notice = Selectable<NotificationsTables["notices"]>;

/** One look-up by primary key. */
export async function readNotice(db: Db, memberId: number): Promise<Notice | null> {
  const row = await db.selectFrom("notices").selectAll().where("member_no", "=", memberId).executeTakeFirst();
  return row ?? null;
}

/** Locks a member's row until the transaction ends; null when there is none. */
export async function lockNotice(tx: Tx, memberId: number): Promise<Notice | null> {
  const row = await tx
    .selectFrom("notices")
    .selectAll()
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The same, but null also while another process has it: that one does what is to be done. */
export async function lockFreeNotice(tx: Tx, memberId: number): Promise<Notice | null> {
  const row = await tx
    .selectFrom("notices")
    .selectAll()
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

/** Makes a member's row, unless it has one. */
export async function insertNotice(tx: Tx, row: Insertable<NotificationsTables["notices"]>): Promise<void> {
  await tx
    .insertInto("notices")
    .values(row)
    .onConflict((conflict) => conflict.column("member_no").doNothing())
    .execute();
}

export async function updateNotice(
  db: Db,
  memberId: number,
  to: Updateable<NotificationsTables["notices"]>,
): Promise<void> {
  await db.updateTable("notices").set(to).where("member_no", "=", memberId).execute();
}

/** Whether there is a way left to tell a member, written down where messages look. */
export async function updateListens(db: Db, memberId: number): Promise<void> {
  await sql`
    update notices set listens = digest
      or (push and exists (select from push_subscriptions s where s.member_no = notices.member_no))
    where member_no = ${memberId}`.execute(db);
}

/** For a database that was just restored alone: asks every shard. */
export async function forgetAllDue(tx: Tx): Promise<void> {
  await tx
    .updateTable("notices")
    .set({ push_due_at: null, letter_due_at: null })
    .where((row) => row.or([row("push_due_at", "is not", null), row("letter_due_at", "is not", null)]))
    .execute();
}

/** By the partial index `notices_push_due`; asks every shard. */
export async function membersToPush(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notices")
    .select("member_no")
    .where("push_due_at", "<=", now)
    .orderBy("push_due_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** By the partial index `notices_letter_due`; asks every shard. */
export async function membersToWrite(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notices")
    .select("member_no")
    .where("letter_due_at", "<=", now)
    .orderBy("letter_due_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** When the next push is due. */
export async function nextPush(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("notices")
    .select("push_due_at")
    .where("push_due_at", "is not", null)
    .orderBy("push_due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.push_due_at ?? null;
}

export async function deleteNotice(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("notices").where("member_no", "=", memberId).execute();
}
