import type { Db, Tx } from "../../platform/db/database.ts";

/** A number that is listed already keeps its day. */
export async function insertDestroyedKeys(
  tx: Tx,
  keys: readonly { key_number: number; destroyed_on: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .insertInto("destroyed_keys")
    .values(keys)
    .onConflict((conflict) => conflict.column("key_number").doNothing())
    .execute();
}

export async function findDestroyedOn(db: Db, keyNumber: number): Promise<string | null> {
  const row = await db
    .selectFrom("destroyed_keys")
    .select("destroyed_on")
    .where("key_number", "=", keyNumber)
    .executeTakeFirst();
  return row?.destroyed_on ?? null;
}

/** Reads every shard. The order of numbers is not that of deletions. */
export async function readDestroyedKeys(db: Db): Promise<number[]> {
  const rows = await db.selectFrom("destroyed_keys").select("key_number").orderBy("key_number").execute();
  return rows.map(({ key_number }) => key_number);
}
