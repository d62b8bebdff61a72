import { type Expression, type RawBuilder, sql } from "kysely";
import { batchedLookup } from "../db/batched-lookup.ts";
import { columnsOf, type Db, runPrepared, type Tx } from "../db/database.ts";
import type { PlatformTables } from "../tables.ts";

export type DataKeyRow = PlatformTables["data_keys"];

export const readKey = batchedLookup(async (db, ids: number[]) => {
  const query = db
    .selectFrom("data_keys")
    .select(["key_id", "master_key", "wrapped_key"])
    .where("key_id", "=", sql<number>`any(${ids}::int8[])`);
  return new Map((await runPrepared(db, query.compile())).map((row) => [row.key_id, row]));
});

/** Returns false unless the row's master key is active. */
export async function insertKey(db: Db | Tx, row: DataKeyRow): Promise<boolean> {
  return insertGuarded(db, row, sql``);
}

export async function insertKeyOnce(db: Db, row: DataKeyRow): Promise<boolean> {
  return insertGuarded(db, row, sql`on conflict (key_id) do nothing`);
}

/** The share lock delays a rotation until the end of the transaction. */
async function insertGuarded(
  db: Db | Tx,
  row: DataKeyRow,
  onConflict: RawBuilder<unknown>,
): Promise<boolean> {
  const query = sql<{ key_id: string }>`
    with active as (
      select key_id from master_keys where key_id = ${row.master_key} and state = 'active' for share
    ), inserted as (
      insert into data_keys (key_id, master_key, wrapped_key)
      select ${row.key_id}::int8, active.key_id, ${row.wrapped_key}::bytea from active ${onConflict}
    )
    select key_id from active`;
  return (await runPrepared(db, query.compile(db))).length > 0;
}

export async function deleteKeys(db: Db | Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom("data_keys")
    .where("key_id", "=", sql<number>`any(${ids}::int8[])`)
    .execute();
}

export async function deleteKeysBetween(db: Db, first: number, last: number): Promise<void> {
  await db.deleteFrom("data_keys").where("key_id", ">=", first).where("key_id", "<=", last).execute();
}

export type KeyUse = (db: Db | Tx) => Expression<{ key_id: number | null }>;

export function keyIdIn(column: string): RawBuilder<number | null> {
  return sql`('x' || encode(substring(${sql.ref(column)} from 2 for 8), 'hex'))::bit(64)::int8`;
}

export function nonceIn(column: string): RawBuilder<Buffer> {
  return sql`substring(${sql.ref(column)} from 10 for 12)`;
}

/** Scans all tables: for a restore only. Spares keys in a range of ids. */
export async function deleteUnusedKeys(
  tx: Tx,
  uses: readonly KeyUse[],
  first: number,
  last: number,
): Promise<void> {
  const used = uses.map((use) => sql`except ${use(tx)}`);
  await sql`
    delete from data_keys where key_id in (
      select key_id from data_keys where key_id not between ${first}::int8 and ${last}::int8
      ${sql.join(used, sql` `)}
    )`.execute(tx);
}

export async function readIdsOfOthers(
  db: Db,
  masterKey: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const found = await db
    .selectFrom("data_keys")
    .select("key_id")
    .where("key_id", ">", after)
    .where("master_key", "<>", masterKey)
    .orderBy("key_id")
    .limit(limit)
    .execute();
  return found.map(({ key_id }) => key_id);
}

/** Leaves out locked keys. One statement for each, because a cluster locks no others. */
export async function lockKeysOfOthers(
  tx: Tx,
  masterKey: string,
  ids: readonly number[],
): Promise<DataKeyRow[]> {
  const locked: DataKeyRow[] = [];
  for (const id of ids)
    locked.push(
      ...(await tx
        .selectFrom("data_keys")
        .select(["key_id", "master_key", "wrapped_key"])
        .where("key_id", "=", id)
        .where("master_key", "<>", masterKey)
        .forUpdate()
        .skipLocked()
        .execute()),
    );
  return locked;
}

export async function replaceKeys(tx: Tx, rows: readonly DataKeyRow[]): Promise<void> {
  for (const { key_id, master_key, wrapped_key } of rows)
    await tx.updateTable("data_keys").set({ master_key, wrapped_key }).where("key_id", "=", key_id).execute();
}

export async function readKeysAfter(db: Db, after: number, limit: number): Promise<DataKeyRow[]> {
  return db
    .selectFrom("data_keys")
    .select(["key_id", "master_key", "wrapped_key"])
    .where("key_id", ">", after)
    .orderBy("key_id")
    .limit(limit)
    .execute();
}

/** No server may run, and the caller share-locks the active master key before its commit. */
export async function insertRestoredKeys(tx: Tx, rows: readonly DataKeyRow[]): Promise<void> {
  const { key_id, master_key, wrapped_key } = columnsOf(rows);
  await sql`
    insert into data_keys (key_id, master_key, wrapped_key)
    select * from unnest(${key_id}::int8[], ${master_key}::text[], ${wrapped_key}::bytea[])
    on conflict (key_id) do update
      set master_key = excluded.master_key, wrapped_key = excluded.wrapped_key`.execute(tx);
}

/** Scans the table: for the operator only. */
export async function hasKeysOfOthers(db: Db, masterKey: string): Promise<boolean> {
  const query = db.selectFrom("data_keys").select("key_id").where("master_key", "<>", masterKey).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}
