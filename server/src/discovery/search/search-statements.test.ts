import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { listSearchables, searcher, viewerOf } from "../../testing/searchers.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { cellAt, FAR, NEAR, parentOf, regionOf } from "../position/cells.ts";
import { slotsOfDays } from "./random-slots.ts";
import { likersQuery, probesQuery, readLikers, smallAreaQuery } from "./search.sql.ts";
import { search } from "./search.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const wanted = {
  memberId: 1,
  sexBit: 2,
  ages: { least: 39, most: 40 },
  birthMonths: { first: 12 * 1960, last: 12 * 2000 },
  vector: [1, 0, 0] as const,
  minChordSquared: 0,
  maxChordSquared: 1,
  activeSince: 0,
};

/** Twenty thousand women of a few regions. */
async function listManyWomen(): Promise<number> {
  const { db } = service;
  await listSearchables(service, []);
  const tokyo = cellAt(139.7, 35.7);
  const cell = sql`(${tokyo}::int4 + no % 400 * 512 + no % 4 * 262144)`;
  await sql`
    insert into searchables (member_no, region, cell, near_cell, far_cell, x, y, z, birth_month, sex, sought_sexes, sought_min_age,
      sought_max_age, min_chord_squared, max_chord_squared, active_day, slot, shown_day)
    select no, ${cell} >> 18, ${cell}, ${cell} >> 3, ${cell} >> 9, 1, 0, 0, 12 * 1985, 1, 3, 0, 120, 0, 4, 20000 - no % 90,
      ((32767 - 20000 + no % 90) << 10) | no % 1024, 20000
    from generate_series(1, 20000) no`.execute(db);
  await sql`analyze searchables`.execute(db);
  return tokyo;
}

test("fails a search that times out instead of returning an empty list", async () => {
  const { db, ctx } = service;
  const taro = searcher({ memberId: 1, sex: "male" });
  const hanako = searcher({ memberId: 2 });
  await listSearchables(service, [taro, hanako]);

  const failure = await db.transaction().execute(async (tx) => {
    await sql`lock table searchables in access exclusive mode`.execute(tx); // makes the search wait
    return search(ctx, viewerOf(taro), 60).catch((error: unknown) => error);
  });

  expect(failure).toMatchObject({ code: "57014" });
  expect((await search(ctx, viewerOf(taro), 60)).memberIds).toEqual([hanako.memberId]);
});

test("reads the index in the order of the probes, never the whole table", async () => {
  const tokyo = await listManyWomen();
  const region = regionOf(tokyo);

  for (const [level, cell, step, index] of [
    [NEAR, parentOf(tokyo, NEAR), 64, "searchables_near"],
    [FAR, parentOf(tokyo, FAR), 1, "searchables_far"],
  ] as const) {
    const probes = Array.from({ length: 96 }, (_, i) => ({
      cell: cell + i * step,
      sex: 1,
      ...slotsOfDays(20_000, 19_990),
    }));
    for (const seen of [null, "{1,2,3}"]) {
      const plan = await explain(probesQuery(wanted, { level, region, probes, limit: 64, seen }));

      expect(plan).toMatch(/Nested Loop[\s\S]*Function Scan on p/);
      expect(plan).toMatch(new RegExp(`Index ${seen ? "Only Scan" : "Scan"} using ${index}`));
      if (seen) expect(plan).toMatch(/Only Scan[\s\S]*Scan using searchables_pkey/);
      expect(plan).not.toMatch(/Seq Scan|Join/);
    }
  }
});

test("reads only the cells, not their whole region, in the exact statement", async () => {
  const tokyo = await listManyWomen();
  const cells = Array.from({ length: 30 }, (_, i) => parentOf(tokyo, FAR) + i);
  const where = { regions: [regionOf(tokyo)], cells, sexes: [1], limit: 256 };
  const score = {
    unseen: { activeSince: 1, shownUntil: 1 },
    absenceDays: [1, 2, 3],
    chordsSquared: [1],
    weights: [3, 2] as const,
    seed: 1,
  };

  const plan = await explain(smallAreaQuery(wanted, where, score));

  expect(plan).toMatch(/Scan (using|on) searchables_(age|far)/);
  expect(plan).not.toMatch(/searchables_pkey|Seq Scan/);
});

test("reads the newest likers and each hidden one by index", async () => {
  const { db, clock } = service;
  await sql`
    insert into likes_received select target, 1000 + actor, 1000 - actor
    from generate_series(1, 100) target, generate_series(1, 300) actor`.execute(db);
  await sql`
    insert into block_edges select target, 1000 + actor, 'm', ${clock.now()}, actor
    from generate_series(1, 100) target, generate_series(1, 290) actor`.execute(db);
  await sql`analyze likes_received, block_edges`.execute(db);

  const plan = await explain(likersQuery(7, { after: null, limit: 200 }));
  const likers = await readLikers(db, 7, { after: null, limit: 5 });
  await sql`truncate likes_received, block_edges`.execute(db);

  expect(likers.map(({ actor }) => actor)).toEqual([1_291, 1_292, 1_293, 1_294, 1_295]);
  expect(plan).toMatch(/Scan (using|on) likes_received_newest/);
  expect(plan).toMatch(/SubPlan[\s\S]*Scan using block_edges_pkey/);
  expect(plan).not.toMatch(/Join|Seq Scan/);
});

async function explain(query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${query}`.execute(service.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
