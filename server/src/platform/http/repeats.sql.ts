import type { Db } from "../db/database.ts";
import type { PlatformTables } from "../tables.ts";

export type OutcomeRow = PlatformTables["call_outcomes"];

export async function insert(db: Db, row: OutcomeRow): Promise<boolean> {
  const query = db
    .insertInto("call_outcomes")
    .values(row)
    .onConflict((conflict) => conflict.column("key_digest").doNothing())
    .returning("key_digest");
  return (await query.executeTakeFirst()) !== undefined;
}

export async function read(db: Db, keyDigest: Buffer): Promise<Buffer | null> {
  const query = db
    .selectFrom("call_outcomes")
    .select("encrypted_outcome")
    .where("key_digest", "=", keyDigest);
  return (await query.executeTakeFirst())?.encrypted_outcome ?? null;
}

/** Returns false if another request has replaced the row. An encrypted value never repeats. */
export async function replace(db: Db, row: OutcomeRow, replaced: Buffer): Promise<boolean> {
  const query = db
    .updateTable("call_outcomes")
    .set({ encrypted_outcome: row.encrypted_outcome, expires_at: row.expires_at })
    .where("key_digest", "=", row.key_digest)
    .where("encrypted_outcome", "=", replaced);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function remove(db: Db, { key_digest, encrypted_outcome }: OutcomeRow): Promise<void> {
  await db
    .deleteFrom("call_outcomes")
    .where("key_digest", "=", key_digest)
    .where("encrypted_outcome", "=", encrypted_outcome)
    .execute();
}

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("call_outcomes").where("expires_at", "<=", now).execute();
}
