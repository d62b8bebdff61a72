import { sql } from "kysely";
import type { Db } from "./database.ts";

export async function isCluster(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}
