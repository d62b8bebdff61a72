import { sql } from "kysely";
import { selectMembers } from "../members/select-members.sql.ts";
import type { Db } from "../platform/db/database.ts";
import type { TransparencyTables } from "./tables.ts";

type Figure = TransparencyTables["transparency_figures"];

/**
 * Counts the rows of the months from `since` on. Scans them: for a job only.
 *
 * `days.N` counts cases by the days from opening to decision. Figures that fall again, such as open appeals, are none.
 */
export async function countCases(db: Db, since: string): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select month, figure, count(*)::int8 as count from (
      select to_char(received_on, 'YYYY-MM') as month, 'notices.' || kind as figure from notices
      union all
      select to_char(at at time zone 'UTC', 'YYYY-MM'), 'reports.' || reason from reports
      union all
      select to_char(effective_at at time zone 'UTC', 'YYYY-MM'), 'decisions.' || rule || '.' || decision
      from case_decisions where state <> 'waiting'
      union all
      select to_char(appealed_on, 'YYYY-MM'), 'appeals.received'
      from case_decisions where appealed_on is not null
      union all
      select to_char(appealed_on, 'YYYY-MM'), 'appeals.' || appeal_state
      from case_decisions where appeal_state in ('upheld', 'reversed')
      union all
      select to_char(decided_on, 'YYYY-MM'), 'days.' || (decided_on - opened_on)
      from cases where decided_on is not null
    ) as events
    where month >= ${since}
    group by month, figure`.execute(db);
  return rows;
}

/** Scans the tables: for a job only. `since` counts days from 1970. */
export async function countMembers(db: Db, month: string, since: number): Promise<Figure[]> {
  const active = await db
    .selectFrom("searchables")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("active_day", ">=", since)
    .executeTakeFirstOrThrow();
  const suspended = await selectMembers(db)
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("m.account_status", "=", "suspended")
    .executeTakeFirstOrThrow();
  return [
    { month, figure: "members.active", count: active.count },
    { month, figure: "members.suspended", count: suspended.count },
  ];
}

/** A later count replaces an earlier one, unless retention has taken rows meanwhile. */
export async function storeFigures(db: Db, figures: readonly Figure[], keepsHighest: boolean): Promise<void> {
  if (figures.length === 0) return;
  await db
    .insertInto("transparency_figures")
    .values([...figures])
    .onConflict((conflict) =>
      conflict.columns(["month", "figure"]).doUpdateSet({
        count: keepsHighest
          ? sql<number>`greatest(transparency_figures.count, excluded.count)`
          : sql<number>`excluded.count`,
      }),
    )
    .execute();
}

export function readFigures(db: Db, year: number): Promise<Figure[]> {
  return db
    .selectFrom("transparency_figures")
    .selectAll()
    .where("month", ">=", `${year}-01`)
    .where("month", "<=", `${year}-12`)
    .orderBy("figure")
    .orderBy("month")
    .execute();
}
