import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/** Reads the whole table: for a job only. */
export async function countSearchables(db: Db) {
  return db
    .selectFrom("searchables")
    .select(({ fn }) => ["far_cell", "sex", fn.countAll<number>().as("members")])
    .groupBy(["far_cell", "sex"])
    .execute();
}

/** Reads key ranges, because the cells of a region are adjacent. */
export async function readCellCounts(db: Db, regions: readonly number[]) {
  const ranges = sql<{ first: number; last: number }>`(
    select r.region << 9 as first, (r.region << 9) + 511 as last from unnest(${regions}::int4[]) as r (region))`;
  return db
    .selectFrom("cell_counts as c")
    .innerJoin(ranges.as("r"), (join) =>
      join.onRef("c.far_cell", ">=", "r.first").onRef("c.far_cell", "<=", "r.last"),
    )
    .select(["c.far_cell", "c.sex", "c.members"])
    .execute();
}

export async function readAllCellCounts(db: Db) {
  return db.selectFrom("cell_counts").select(["far_cell", "sex", "members"]).execute();
}

export async function upsertCellCounts(
  db: Db,
  counts: readonly { far_cell: number; sex: number; members: number }[],
): Promise<void> {
  await sql`
    insert into cell_counts (far_cell, sex, members)
    select * from unnest(
      ${counts.map(({ far_cell }) => far_cell)}::int4[], ${counts.map(({ sex }) => sex)}::int2[], ${counts.map(({ members }) => members)}::int4[])
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(db);
}
