import { sql } from "kysely";
import type { Db } from "./database.ts";

/** For updates, in which Citus allows no `nextval`, and for numbers that are needed before the row. */
export async function nextNumber(db: Db, sequence: string): Promise<number> {
  const { rows } = await sql<{ no: number }>`select nextval(${sequence}) as no`.execute(db);
  return rows[0]!.no;
}
