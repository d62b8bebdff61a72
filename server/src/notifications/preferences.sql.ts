import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { NotificationsTables } from "./tables.ts";

type Table = NotificationsTables["notification_preferences"];
export type Preferences = Selectable<Table>;

export async function findPreferences(db: Db, memberId: number): Promise<Preferences | null> {
  const row = await db
    .selectFrom("notification_preferences")
    .selectAll()
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? null;
}

export async function lockPreferences(tx: Tx, memberId: number): Promise<Preferences | null> {
  const row = await tx
    .selectFrom("notification_preferences")
    .selectAll()
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Also returns null if another process has locked the row and does the work. */
export async function tryLockPreferences(tx: Tx, memberId: number): Promise<Preferences | null> {
  const row = await tx
    .selectFrom("notification_preferences")
    .selectAll()
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertPreferences(tx: Tx, row: Insertable<Table>): Promise<void> {
  await tx
    .insertInto("notification_preferences")
    .values(row)
    .onConflict((conflict) => conflict.column("member_no").doNothing())
    .execute();
}

export async function updatePreferences(db: Db, memberId: number, to: Updateable<Table>): Promise<void> {
  await db.updateTable("notification_preferences").set(to).where("member_no", "=", memberId).execute();
}

export async function updateHasChannel(db: Db, memberId: number): Promise<void> {
  await sql`
    update notification_preferences p set has_channel = digest
      or (push and exists (select from push_subscriptions s where s.member_no = ${memberId}))
    where member_no = ${memberId}`.execute(db);
}

/** Reads every shard: for a restored database only. */
export async function clearAllDue(tx: Tx): Promise<void> {
  await tx
    .updateTable("notification_preferences")
    .set({ push_due_at: null, digest_due_at: null })
    .where((row) => row.or([row("push_due_at", "is not", null), row("digest_due_at", "is not", null)]))
    .execute();
}

/** Reads every shard. */
export async function findMembersWithDuePush(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notification_preferences")
    .select("member_no")
    .where("push_due_at", "<=", now)
    .orderBy("push_due_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Reads every shard. */
export async function findMembersWithDueDigest(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notification_preferences")
    .select("member_no")
    .where("digest_due_at", "<=", now)
    .orderBy("digest_due_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Reads every shard: for a job only. */
export async function findMembersWithDueLook(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notification_preferences")
    .select("member_no")
    .where("look_state", "is not", null)
    .where("look_at", "<=", now)
    .orderBy("look_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** A changed filter admits others, so earlier looks do not count. */
export async function restartLooks(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable("notification_preferences")
    .set({ look_state: "watching" })
    .where("member_no", "=", memberId)
    .where("look_state", "is not", null)
    .execute();
}

export async function readNextPushDue(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("notification_preferences")
    .select("push_due_at")
    .where("push_due_at", "is not", null)
    .orderBy("push_due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.push_due_at ?? null;
}

export async function deletePreferences(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("notification_preferences").where("member_no", "=", memberId).execute();
}
