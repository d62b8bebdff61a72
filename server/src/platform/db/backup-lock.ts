import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "./database.ts";

const LOCK = [0x616c_6263, 1] as const;

export async function takeBackupLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
    ...LOCK,
  ]);
  return rows[0]!.taken;
}

/**
 * A file must outlive the backup of its row. Call this after the row's deletion is committed: a later backup lacks the
 * row.
 */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const [first, second] = LOCK;
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${first} and objid = ${second} and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}
