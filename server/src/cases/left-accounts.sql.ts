import type { Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { CasesTables } from "./tables.ts";

export type LeftRow = Selectable<CasesTables["left_accounts"]>;

export async function insertLeft(tx: Tx, row: LeftRow): Promise<void> {
  await tx.insertInto("left_accounts").values(row).execute();
}

export async function findLeft(db: Db, userIdDigest: Buffer): Promise<LeftRow | null> {
  const row = await db
    .selectFrom("left_accounts")
    .selectAll()
    .where("user_id_digest", "=", userIdDigest)
    .executeTakeFirst();
  return row ?? null;
}

/** Reads every shard by index. */
export async function findLeftByNumber(db: Db, memberId: number): Promise<LeftRow | null> {
  const row = await db
    .selectFrom("left_accounts")
    .selectAll()
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? null;
}

/** Scans the table: for a job only. */
export async function findLeftBefore(db: Db, day: string): Promise<LeftRow[]> {
  return db.selectFrom("left_accounts").selectAll().where("left_on", "<=", day).execute();
}

export async function deleteLeft(tx: Tx, userIdDigest: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom("left_accounts")
    .where("user_id_digest", "=", userIdDigest)
    .returning("key_id")
    .executeTakeFirst();
  return row !== undefined;
}

export function leftKeys(db: Db | Tx) {
  return db.selectFrom("left_accounts").select("key_id");
}

/** Scans the table: for a restore only. */
export async function deleteLeftWithoutKey(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("left_accounts")
    .where("key_id", "not in", (query) => query.selectFrom("data_keys").select("key_id"))
    .execute();
}
