import { sql } from "kysely";
import type { Db } from "../platform/db/database.ts";

/** Of a day: reports made, cases decided, and after how many days these were. Scans the tables: for a job only. */
export async function countReports(
  db: Db,
  day: string,
): Promise<{ made: number; closed: number; days: number }> {
  const [reports, cases] = await Promise.all([
    sql<{ made: number }>`
      select count(*)::int4 as made from reports where (at at time zone 'UTC')::date = ${day}::date`.execute(
      db,
    ),
    sql<{ closed: number; days: number }>`
      select count(*)::int4 as closed, coalesce(sum(decided_on - opened_on), 0)::int4 as days
      from cases where decided_on = ${day}::date`.execute(db),
  ]);
  return { ...reports.rows[0]!, ...cases.rows[0]! };
}
