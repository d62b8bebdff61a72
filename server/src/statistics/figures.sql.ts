import { sql } from "kysely";
import { selectMembers } from "../members/select-members.sql.ts";
import type { Db, Tx } from "../platform/db/database.ts";

const SUM = "00000000-0000-0000-0000-000000000000";

export interface DailyFigure {
  readonly day: string;
  readonly figure: string;
  readonly value: number;
}

export async function addRows(
  tx: Tx,
  rows: readonly (DailyFigure & { readonly part: string })[],
): Promise<void> {
  await tx.insertInto("daily_figures").values(rows).execute();
}

/** Replaces the recorded figures of the day. */
export async function record(db: Db, figures: readonly DailyFigure[]): Promise<void> {
  if (figures.length === 0) return;
  await db
    .insertInto("daily_figures")
    .values(figures.map((figure) => ({ ...figure, part: SUM })))
    .onConflict((conflict) =>
      conflict
        .columns(["day", "figure", "part"])
        .doUpdateSet((set) => ({ value: set.ref("excluded.value") })),
    )
    .execute();
}

export async function addUp(db: Db): Promise<void> {
  await sql`
    with parts as (delete from daily_figures where part <> ${SUM} returning day, figure, value)
    insert into daily_figures (day, figure, part, value)
    select day, figure, ${SUM}::uuid, sum(value) from parts group by day, figure order by day, figure
    on conflict (day, figure, part) do update set value = daily_figures.value + excluded.value`.execute(db);
}

export async function readFigures(db: Db, until: string): Promise<DailyFigure[]> {
  const { rows } = await sql<DailyFigure>`
    select day::text, figure, sum(value)::int8 as value from daily_figures
    where day <= ${until}::date group by day, figure order by day`.execute(db);
  return rows;
}

/** Scans both tables, as the next one: for a job and the operator only. */
export async function countBySex(db: Db): Promise<{ sex: string; members: number }[]> {
  return selectMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select(["p.sex", (select) => select.fn.countAll<number>().as("members")])
    .groupBy("p.sex")
    .execute();
}

export async function countByTimeZone(db: Db): Promise<{ zone: string; members: number }[]> {
  const rows = await selectMembers(db)
    .select(["m.time_zone as zone", (select) => select.fn.countAll<number>().as("members")])
    .where("m.time_zone", "is not", null)
    .groupBy("m.time_zone")
    .execute();
  return rows.map(({ zone, members }) => ({ zone: zone!, members }));
}
