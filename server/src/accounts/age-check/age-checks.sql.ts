import { sql, type Selectable } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AccountsTables } from "../tables.ts";

export type AgeCheckRow = Selectable<AccountsTables["age_checks"]>;
export type Picture = Pick<AgeCheckRow, "member_no" | "key_id" | "media_id">;

export async function readAgeCheck(db: Db, memberId: number) {
  return selectOf(db, memberId).executeTakeFirst();
}

export async function lockAgeCheck(tx: Tx, memberId: number) {
  return selectOf(tx, memberId).forNoKeyUpdate().executeTakeFirst();
}

const selectOf = (db: Db, memberId: number) =>
  db.selectFrom("age_checks").selectAll().where("member_no", "=", memberId);

export async function upsertAgeCheck(tx: Tx, row: AgeCheckRow): Promise<void> {
  const { member_no: _, ...changed } = row;
  await tx
    .insertInto("age_checks")
    .values(row)
    .onConflict((conflict) => conflict.column("member_no").doUpdateSet(changed))
    .execute();
}

export async function endAgeCheck(
  tx: Tx,
  memberId: number,
  ending: { state: "unreadable" | "different" | "expired"; changed_on: string },
): Promise<void> {
  await tx
    .updateTable("age_checks")
    .set({ ...ending, key_id: null, media_id: null, expires_at: null })
    .where("member_no", "=", memberId)
    .execute();
}

export async function deleteAgeCheck(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("age_checks").where("member_no", "=", memberId).execute();
}

/** Reads every shard by index: for the operator only. */
export async function readWaiting(db: Db, limit: number) {
  return db
    .selectFrom("age_checks")
    .select(["check_id", "changed_on"])
    .where("state", "=", "waiting")
    .orderBy("changed_on")
    .orderBy("check_id")
    .limit(limit)
    .execute();
}

/** Scans the table: for the operator only. */
export async function findWaiting(db: Db, checkId: string): Promise<AgeCheckRow | null> {
  const row = await db
    .selectFrom("age_checks")
    .selectAll()
    .where("check_id", "=", checkId)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return row ?? null;
}

/** Reads every shard by index: for a job only. */
export async function findExpired(db: Db, now: Date): Promise<number[]> {
  const found = await db
    .selectFrom("age_checks")
    .select("member_no")
    .where("state", "=", "waiting")
    .where("expires_at", "<=", now)
    .orderBy("member_no")
    .execute();
  return found.map(({ member_no }) => member_no);
}

/** Scans the table: for a restore only. */
export async function deleteAgeChecksWithoutKey(tx: Tx): Promise<void> {
  await sql`
    delete from age_checks
    where key_id is not null and not exists (select from data_keys where data_keys.key_id = age_checks.key_id)`.execute(
    tx,
  );
}

export function ageCheckKeys(db: Db | Tx) {
  return db.selectFrom("age_checks").select("key_id").where("key_id", "is not", null);
}
