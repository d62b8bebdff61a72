import { sql, type Selectable } from "kysely";
import type pg from "pg";
import type { Db, Tx } from "../db/database.ts";
import type { PlatformTables } from "../tables.ts";

export type MasterKeyRow = Selectable<PlatformTables["master_keys"]>;
type NewMasterKey = Omit<MasterKeyRow, "state">;

const ROTATION_LOCK = [0x616c_6263, 2] as const;
const FIRST_KEY_LOCK = 0x616c_6264;

export async function readMasterKeys(db: Db): Promise<MasterKeyRow[]> {
  return db.selectFrom("master_keys").selectAll().orderBy("key_id").execute();
}

/** Does nothing if the database has a data key. Simultaneous processes wait for the first one. */
export async function insertFirst(db: Db, key: NewMasterKey): Promise<void> {
  if (await hasDataKeys(db)) return;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_KEY_LOCK})`.execute(tx);
    const known = await tx.selectFrom("master_keys").select("key_id").forUpdate().execute();
    // The lock has waited for the first data key. A second master key belongs to a rotation.
    if (known.length > 1 || (known.length === 1 && (await hasDataKeys(tx)))) return;
    await tx.deleteFrom("master_keys").execute();
    await tx
      .insertInto("master_keys")
      .values({ ...key, state: "active" })
      .execute();
  });
}

async function hasDataKeys(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom("data_keys").select("key_id").limit(1).executeTakeFirst()) !== undefined;
}

/** Share-locks the row. Returns false unless the key is active. */
export async function shareActive(tx: Tx, keyId: string): Promise<boolean> {
  const query = tx
    .selectFrom("master_keys")
    .select("key_id")
    .where("key_id", "=", keyId)
    .where("state", "=", "active")
    .forShare();
  return (await query.executeTakeFirst()) !== undefined;
}

/** Safe to repeat. */
export async function insertNew(db: Db, key: NewMasterKey): Promise<void> {
  await db
    .insertInto("master_keys")
    .values({ ...key, state: "new" })
    .onConflict((conflict) => conflict.column("key_id").doNothing())
    .execute();
}

/** Waits for every transaction that stores a key, because these share-lock the active key's row. */
export async function activate(db: Db, keyId: string, changed_on: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await setState(tx, "active", { to: "replaced", changed_on });
    await tx
      .updateTable("master_keys")
      .set({ state: "active", changed_on })
      .where("key_id", "=", keyId)
      .execute();
  });
}

/** NOTE: no data key may be wrapped by a replaced key. */
export async function retireReplaced(db: Db, changed_on: string): Promise<void> {
  await setState(db, "replaced", { to: "retired", changed_on });
}

async function setState(
  db: Db | Tx,
  from: MasterKeyRow["state"],
  { to, changed_on }: { to: MasterKeyRow["state"]; changed_on: string },
): Promise<void> {
  await db.updateTable("master_keys").set({ state: to, changed_on }).where("state", "=", from).execute();
}

export async function takeRotationLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
    ...ROTATION_LOCK,
  ]);
  return rows[0]!.taken;
}

// The database's times count, because the clocks of several machines differ.

export async function recordProcess(
  db: Db,
  { process_id, key_ids, active_key }: Omit<PlatformTables["server_processes"], "seen_at">,
): Promise<void> {
  await sql`
    insert into server_processes (process_id, key_ids, active_key, seen_at)
    values (${process_id}::uuid, ${key_ids}::text[], ${active_key}, now())
    on conflict (process_id) do update
      set key_ids = excluded.key_ids, active_key = excluded.active_key, seen_at = excluded.seen_at`.execute(
    db,
  );
}

export async function removeProcess(db: Db, processId: string): Promise<void> {
  await db.deleteFrom("server_processes").where("process_id", "=", processId).execute();
}

/** Returns the processes of the last minute. Deletes those of the day before. */
export async function readLivingProcesses(
  db: Db,
): Promise<Omit<PlatformTables["server_processes"], "seen_at">[]> {
  await db
    .deleteFrom("server_processes")
    .where("seen_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
  return db
    .selectFrom("server_processes")
    .select(["process_id", "key_ids", "active_key"])
    .where("seen_at", ">", sql<Date>`now() - interval '1 minute'`)
    .execute();
}
