import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/** A statement has at most 65,535 parameters. */
const ROWS_OF_AN_INSERT = 5_000;

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
  for (let i = 0; i < counts.length; i += ROWS_OF_AN_INSERT) {
    await db
      .insertInto("cell_counts")
      .values(counts.slice(i, i + ROWS_OF_AN_INSERT))
      .onConflict((conflict) =>
        conflict.columns(["far_cell", "sex"]).doUpdateSet((eb) => ({ members: eb.ref("excluded.members") })),
      )
      .execute();
  }
}
