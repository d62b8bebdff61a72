import { sql } from "kysely";
import type { Db } from "../platform/db/database.ts";

const LOOK_LOCK = 0x616c_6e74;

/** Returns null without running the task while another process holds the lock. */
export async function withLookLock<T>(db: Db, task: () => Promise<T>): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(LOOK_LOCK)}) as locked`.execute(tx);
    return rows[0]!.locked ? task() : null;
  });
}
