import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "./database.ts";

/** Our advisory lock; the first half is that of nothing else in this database. */
const LOCK = [0x616c_6263, 1] as const;

/** Takes the turn of making a backup, held until the connection ends; false while another one is being made. */
export async function takeBackupTurn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
    ...LOCK,
  ]);
  return rows[0]!.taken;
}

/**
 * Whether a backup is being made: files that its rows may name have to stay until it is done. Ask after the row is
 * committed away: then a backup that this does not see begins after that, and does not name the file.
 */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const [first, second] = LOCK;
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${first} and objid = ${second} and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}
