import { sql } from "kysely";
import type { Db } from "../platform/db/database.ts";

/** Counts all listed members by far cell and sex; reads the whole table. */
export async function countListed(db: Db) {
  return db
    .selectFrom("searchables")
    .select(({ fn }) => ["c4", "sex", fn.countAll<number>().as("n")])
    .groupBy(["c4", "sex"])
    .execute();
}

/** The counts of some regions: ranges of the key, since a region's cells follow each other. */
export async function readCounts(db: Db, regions: readonly number[]) {
  const ranges = sql<{ first: number; last: number }>`(
    select r.region << 9 as first, (r.region << 9) + 511 as last from unnest(${regions}::int4[]) as r (region))`;
  return db
    .selectFrom("cell_counts as c")
    .innerJoin(ranges.as("r"), (join) => join.onRef("c.c4", ">=", "r.first").onRef("c.c4", "<=", "r.last"))
    .select(["c.c4", "c.sex", "c.n"])
    .execute();
}

export async function readAllCounts(db: Db) {
  return db.selectFrom("cell_counts").select(["c4", "sex", "n"]).execute();
}

export async function storeCounts(
  db: Db,
  counts: readonly { c4: number; sex: number; n: number }[],
): Promise<void> {
  await sql`
    insert into cell_counts (c4, sex, n)
    select * from unnest(
      ${counts.map(({ c4 }) => c4)}::int4[], ${counts.map(({ sex }) => sex)}::int2[], ${counts.map(({ n }) => n)}::int4[])
    on conflict (c4, sex) do update set n = excluded.n`.execute(db);
}
