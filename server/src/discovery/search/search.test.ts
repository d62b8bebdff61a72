import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { ageOn } from "@alcove/contract/fields";
import { DAY_MS } from "../../platform/clock.ts";
import type { Person } from "../../profiles/index.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { destination } from "../../testing/geodesy.ts";
import { clearCellCounts } from "./cell-counts.ts";
import { FAR, centreOf, NEAR, parentOf, cellAt, regionOf, vectorOf } from "../position/cells.ts";
import { chordSquaredBetween, kmOfChordSquared } from "../position/distance.ts";
import { activeDay } from "./search-index.ts";
import { chordRangeOf, SEX_BIT, SOUGHT_SEX_BITS } from "./mutual-filter.ts";
import { search } from "./search.ts";
import { smallAreaQuery, probesQuery } from "./search.sql.ts";
import { slotOf, slotsOfDays } from "./random-slots.ts";
import { suggestFilterChange } from "../cards/suggestion.ts";
import type { Viewer } from "./viewer.ts";

type TestMemberRow = Pick<Person, "memberId" | "sex" | "dateOfBirth" | "filter"> & {
  cell: number;
  daysAway: number;
};

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const EARTH_RADIUS_KM = 6371.007180918475;

/** The product rules, computed independently of the search. */
function admits(one: TestMemberRow, other: TestMemberRow, day: string): boolean {
  const { filter } = one;
  const [a, b] = [centreOf(one.cell), centreOf(other.cell)];
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half =
    Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const km = 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(half)));
  const distance = filter.unit === "km" ? km : km / 1.609344;
  const age = ageOn(day, other.dateOfBirth);
  return (
    (filter.sex === "all" || filter.sex === other.sex) &&
    filter.minAge <= age &&
    age <= filter.maxAge &&
    filter.minRange <= distance + 0.001 &&
    distance <= filter.maxRange + 0.001
  );
}

/** Inserts search rows directly, because thousands of sign-ups would take too long. */
async function list(people: readonly TestMemberRow[]): Promise<void> {
  const { db, clock } = service;
  for (const table of ["searchables", "verdicts", "block_edges", "cell_counts"] as const) {
    await sql`delete from ${sql.table(table)}`.execute(db); // quicker than to truncate, where a world is small
  }
  clearCellCounts(service.ctx);
  if (people.length === 0) return;
  const rows = people.map((one) => {
    const [x, y, z] = vectorOf(one.cell);
    const reach = chordRangeOf(one.filter);
    return {
      member_no: one.memberId,
      region: regionOf(one.cell),
      cell: one.cell,
      near_cell: parentOf(one.cell, NEAR),
      far_cell: parentOf(one.cell, FAR),
      x,
      y,
      z,
      date_of_birth: one.dateOfBirth,
      sex: SEX_BIT[one.sex],
      sought_sexes: SOUGHT_SEX_BITS[one.filter.sex],
      sought_min_age: one.filter.minAge,
      sought_max_age: one.filter.maxAge,
      min_chord_squared: reach.min,
      max_chord_squared: reach.max,
      active_day: activeDay(clock.now()) - one.daysAway,
      slot: slotOf(activeDay(clock.now()) - one.daysAway, one.memberId % 1_024),
      last_active: clock.now(),
      rev: 0,
    };
  });
  await sql`
    insert into searchables select * from jsonb_populate_recordset(null::searchables, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}

async function countCells(times: number): Promise<void> {
  await sql`
    insert into cell_counts (far_cell, sex, members) select far_cell, sex, (count(*) * ${times}::int)::int from searchables group by 1, 2
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(service.db);
  clearCellCounts(service.ctx);
}

const viewerOf = (somebody: TestMemberRow): Viewer => ({
  ...somebody,
  region: regionOf(somebody.cell),
  isPaid: true,
  deck: null,
});

async function foundBy(viewer: TestMemberRow): Promise<number[]> {
  const { memberIds } = await search(service.ctx, viewerOf(viewer), 10_000);
  return [...memberIds].toSorted((a, b) => a - b);
}

/** Test days: 29 February and its neighbours, and the end of a year. */
const DAYS = ["2028-02-29", "2027-02-28", "2027-03-01", "2026-12-31", "2027-06-15"];

/** Many birthdays are near the test day. */
const birthdayAround = (today: string) =>
  fc
    .record({ age: fc.integer({ min: 18, max: 70 }), offset: fc.integer({ min: -2, max: 2 }) })
    .map(({ age, offset }) => {
      const date = new Date(Date.parse(today) + offset * DAY_MS);
      // 29 February becomes 1 March in other years.
      const born = Date.UTC(date.getUTCFullYear() - age, date.getUTCMonth(), date.getUTCDate());
      return new Date(born).toISOString().slice(0, 10);
    });

const range = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const filter = fc
  .record({
    sex: fc.constantFrom("all" as const, "all" as const, "all" as const, "female" as const, "male" as const),
    unit: fc.constantFrom("km" as const, "mile" as const),
    range: fc.oneof(
      fc.constant([0, 500] as const),
      fc.integer({ min: 1, max: 500 }).map((max) => [0, max] as const),
      range(500),
    ),
    age: fc.oneof(
      fc.constant([0, 120] as const),
      fc.constant([0, 120] as const),
      range(80),
      fc.constant([30, 60] as const),
    ),
  })
  .map(({ sex, unit, range: [minRange, maxRange], age: [minAge, maxAge] }) => ({
    sex,
    unit,
    minRange,
    maxRange,
    minAge,
    maxAge,
  }));

/** Difficult places for grids (poles, date line, two of the twelve pentagons) and cities. */
const CENTRES = [
  [139.7, 35.7],
  [179.99, -17],
  [-179.9, 65],
  [30, 89.9],
  [-120, -89.5],
  [10.536, 64.7],
  [-5.246, 2.301],
  [0, 0],
] as const;

const population = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...CENTRES))
  .chain(([day, [longitude, latitude]]) =>
    fc
      .array(
        fc.record({
          sex: fc.constantFrom("female" as const, "male" as const),
          dateOfBirth: birthdayAround(day),
          filter,
          away: fc.oneof(
            fc.constant(0),
            fc.double({ min: 0, max: 0.2, noNaN: true }),
            fc.double({ min: 0, max: 9, noNaN: true }),
          ),
          bearing: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
          daysAway: fc.constantFrom(0, 3, 4, 14, 15, 60, 61, 400),
        }),
        { minLength: 2, maxLength: 60 },
      )
      .map((people) => ({
        day,
        people: people.map(({ away, bearing, ...one }, i): TestMemberRow => {
          const place = destination(longitude, latitude, away, bearing);
          return { ...one, memberId: i + 1, cell: cellAt(place.longitude, place.latitude) };
        }),
      })),
  );

/** The best filter change by docs/search.md. */
function bestChange(
  viewer: TestMemberRow,
  admitted: (viewer: TestMemberRow) => TestMemberRow[],
): string | null {
  const distance = { minRange: 0, maxRange: 500 };
  const age = { minAge: 0, maxAge: 140 };
  const help = (change: Partial<TestMemberRow["filter"]>) => {
    const found = admitted({ ...viewer, filter: { ...viewer.filter, ...change } }).length;
    return found >= 10 ? 2 : Math.min(found, 1);
  };
  if (help(age) > help(distance)) return "wider_age";
  if (help(distance) > 0) return "wider_distance";
  if (help({ ...distance, ...age }) > 0) return "wider_distance_and_age";
  return help({ sex: "all" }) > 0 ? "all_sexes" : null;
}

/** `npm run test:search-fuzz` runs more cases and prints the seed to repeat them. */
const CASES = Number(process.env["FUZZ_CASES"] ?? 120);
const SEED = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** Compares the search in random populations with the rules. Returns the total number of found members. */
async function compareWithRules(numRuns: number, times: number): Promise<number> {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(population, async ({ day, people }) => {
      service.clock.set(`${day}T12:00:00Z`);
      await list(people);
      await countCells(times);
      const admitted = (viewer: TestMemberRow) =>
        people.filter(
          (other) =>
            other.memberId !== viewer.memberId && admits(viewer, other, day) && admits(other, viewer, day),
        );
      for (const viewer of people.slice(0, 6)) {
        const expected = admitted(viewer);
        found += expected.length;
        expect(await foundBy(viewer)).toEqual(expected.map(({ memberId }) => memberId));
        if (expected.length > 0 || viewer.memberId > 2) continue;
        const { suggestion } = await suggestFilterChange(service.ctx, viewerOf(viewer));
        expect(suggestion).toBe(bestChange(viewer, admitted));
      }
    }),
    { numRuns, seed: SEED },
  );
  return found;
}

// With true counts the search reads a small area at once; with counts multiplied by thousands it uses probes.
const PATHS = [
  ["reads a small area at once", 1],
  ["probes many cells", 5_000],
] as const;

test.each(PATHS)(
  "the search that %s finds exactly the mutual members, also at poles and date line",
  async (_, times) => {
    expect(await compareWithRules(CASES, times)).toBeGreaterThan(2.5 * CASES);
  },
  30_000 + CASES * 500,
);

test("admits members up to the exact ends of a range in both units", async () => {
  const tokyo = { longitude: 139.7671, latitude: 35.6812 };
  const wideFilter = { sex: "all", unit: "km", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 } as const;
  const her: TestMemberRow = {
    memberId: 1,
    sex: "female",
    dateOfBirth: "1985-01-01",
    filter: wideFilter,
    cell: cellAt(tokyo.longitude, tokyo.latitude),
    daysAway: 0,
  };
  for (const arc of [0.03, 0.0722, 0.4, 1.1, 2.9, 4.3]) {
    const place = destination(tokyo.longitude, tokyo.latitude, arc, arc * 10);
    const cell = cellAt(place.longitude, place.latitude);
    const km = kmOfChordSquared(chordSquaredBetween(vectorOf(her.cell), vectorOf(cell)));
    for (const unit of ["km", "mile"] as const) {
      const distance = km / (unit === "km" ? 1 : 1.609344);
      const [below, above] = [Math.floor(distance), Math.ceil(distance)];
      const ranges = [
        [0, above, true],
        [0, below, false],
        [below, 500, true],
        [above, 500, false],
        [below, above, true],
        [above, above, false],
      ] as const;
      for (const [minRange, maxRange, isAdmitted] of ranges) {
        const viewer = { ...her, filter: { ...wideFilter, unit, minRange, maxRange } };
        const him: TestMemberRow = { ...her, memberId: 2, sex: "male", cell };
        await list([viewer, him]);
        expect([await foundBy(viewer), await foundBy(him)]).toEqual(isAdmitted ? [[2], [1]] : [[], []]);
      }
    }
  }
});

test.each(["force_generic_plan", "force_custom_plan"])("finds the same members under %s", async (mode) => {
  const { db } = service;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]!.name);
  const first = service;
  await sql`alter database ${database} set plan_cache_mode = ${sql.lit(mode)}`.execute(db);
  service = await testService({ beside: first });
  try {
    for (const [, times] of PATHS) expect(await compareWithRules(25, times)).toBeGreaterThan(50);
  } finally {
    await service.close();
    service = first;
    await sql`alter database ${database} reset plan_cache_mode`.execute(db);
  }
});

test.each(PATHS)(
  "finds the remaining members when nearly all have a verdict: the search that %s",
  async (_, times) => {
    const { db, clock } = service;
    const crowd = Array.from({ length: 1_500 }, (__, i): TestMemberRow => {
      const away = (i % 40) / 400;
      const place = destination(139.7, 35.7, away, i);
      return {
        memberId: i + 1,
        sex: "female",
        dateOfBirth: "1985-01-01",
        filter: { sex: "all", unit: "km", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 },
        cell: cellAt(place.longitude, place.latitude),
        daysAway: i % 80,
      };
    });
    await list(crowd);
    await countCells(times);
    await sql`
    insert into verdicts select 1, no, no % 3 = 0, ${clock.now()} from generate_series(2, 1400) no`.execute(
      db,
    );
    await sql`insert into block_edges select 1, no, 'i', ${clock.now()} from generate_series(1401, 1450) no`.execute(
      db,
    );

    const { memberIds } = await search(service.ctx, viewerOf(crowd[0]!), 60);

    expect([...memberIds].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (__, i) => 1_451 + i),
    );
  },
);

test("orders two equal candidates differently for each viewer", async () => {
  const people = Array.from({ length: 40 }, (_, i): TestMemberRow => ({
    memberId: i + 1,
    sex: i % 2 ? "male" : "female",
    dateOfBirth: "1985-01-01",
    filter: { sex: "all", unit: "km", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 },
    cell: cellAt(139.7, 35.7),
    daysAway: 0,
  }));
  await list(people);

  const firsts = new Set<number>();
  for (const viewer of people.slice(20))
    firsts.add((await search(service.ctx, viewerOf(viewer), 60)).memberIds[0]!);

  expect(firsts.size).toBeGreaterThan(8);
});

test.each(PATHS)(
  "shows everyone in a crowded cell, new members too: the search that %s",
  async (_, times) => {
    const crowd = Array.from({ length: 2_000 }, (__, i): TestMemberRow => {
      const sex = i % 2 ? "male" : "female";
      return {
        memberId: i + 1,
        sex,
        dateOfBirth: "1985-01-01",
        filter: {
          sex: sex === "male" ? "female" : "male",
          unit: "km",
          minRange: 0,
          maxRange: 500,
          minAge: 0,
          maxAge: 120,
        },
        cell: cellAt(139.7, 35.7),
        daysAway: i % 3,
      };
    });
    await list(crowd);
    await countCells(times);

    const shown = new Set<number>();
    const men = crowd.filter(({ sex }) => sex === "male").slice(0, 300);
    for (const man of men) {
      const { memberIds } = await search(service.ctx, viewerOf(man), 60);
      for (const memberId of memberIds.slice(0, 10)) shown.add(memberId);
    }

    // 3,000 random cards for 1,000 women would show 950 of them.
    expect(shown.size).toBeGreaterThan(700);
  },
);

test("ranks popular members after others of equal distance and activity", async () => {
  const { db, clock } = service;
  const women = Array.from({ length: 100 }, (_, i): TestMemberRow => ({
    memberId: i + 1,
    sex: "female",
    dateOfBirth: "1985-01-01",
    filter: { sex: "all", unit: "km", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 },
    cell: cellAt(139.7, 35.7),
    daysAway: 0,
  }));
  const man = { ...women[0]!, memberId: 1_000, sex: "male" as const };
  await list([...women, man]);
  await sql`
    insert into likes_received
    select target, 2000 + actor, ${clock.now()} from generate_series(1, 50) target, generate_series(1, 20) actor`.execute(
    db,
  );

  const { memberIds } = await search(service.ctx, viewerOf(man), 60);
  await sql`truncate likes_received`.execute(db);

  expect(memberIds).toHaveLength(60);
  expect(memberIds.slice(0, 50).filter((memberId) => memberId <= 50)).toEqual([]);
  expect(memberIds.slice(50).filter((memberId) => memberId > 50)).toEqual([]);
});

const wanted = {
  memberId: 1,
  sexBit: 2,
  age: 40,
  bornFrom: "1960-01-01",
  bornTo: "2000-01-01",
  vector: [1, 0, 0] as const,
  minChordSquared: 0,
  maxChordSquared: 1,
};

/** Twenty thousand women of a few regions. */
async function listCrowd(): Promise<number> {
  const { db } = service;
  await list([]);
  const tokyo = cellAt(139.7, 35.7);
  const cell = sql`(${tokyo}::int4 + no % 400 * 512 + no % 4 * 262144)`;
  await sql`
    insert into searchables
    select no, ${cell} >> 18, ${cell}, ${cell} >> 3, ${cell} >> 9, 1, 0, 0, '1985-01-01', 1, 3, 0, 120, 0, 4, 20000 - no % 90,
      ${service.clock.now()}::timestamptz, 0, ((32767 - 20000 + no % 90) << 10) | no % 1024
    from generate_series(1, 20000) no`.execute(db);
  await sql`analyze searchables`.execute(db);
  return tokyo;
}

test("fails a search that times out instead of returning an empty list", async () => {
  const { db, ctx } = service;
  const [taro, hanako] = (["male", "female"] as const).map((sex, i) => ({
    memberId: i + 1,
    sex,
    dateOfBirth: "1985-01-01",
    filter: { sex: "all", unit: "km", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 } as const,
    cell: cellAt(139.7, 35.7),
    daysAway: 0,
  }));
  await list([taro!, hanako!]);

  const failure = await db.transaction().execute(async (tx) => {
    await sql`lock table searchables in access exclusive mode`.execute(tx); // as if reading it took for ever
    return search(ctx, viewerOf(taro!), 60).catch((error: unknown) => error);
  });

  expect(failure).toMatchObject({ code: "57014" });
  expect((await search(ctx, viewerOf(taro!), 60)).memberIds).toEqual([hanako!.memberId]);
});

test("reads the index in the order of the probes, never the whole table", async () => {
  const tokyo = await listCrowd();
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
    const plan = await explain(probesQuery(wanted, { level, region, probes, limit: 64 }));

    expect(plan).toMatch(/Nested Loop[\s\S]*Function Scan on p/);
    expect(plan).toMatch(new RegExp(`Index Scan (using|on) ${index}`));
    expect(plan).not.toContain("Seq Scan");
  }
});

test("reads only the cells, not their whole region, in the exact statement", async () => {
  const tokyo = await listCrowd();
  const cells = Array.from({ length: 30 }, (_, i) => parentOf(tokyo, FAR) + i);
  const where = { regions: [regionOf(tokyo)], cells, sexes: [1], limit: 256 };
  const score = { absenceDays: [1, 2, 3], chordsSquared: [1], weights: [3, 2] as const, seed: 1 };

  const plan = await explain(smallAreaQuery(wanted, where, score));

  expect(plan).toMatch(/Scan (using|on) searchables_(age|far)/);
  expect(plan).not.toMatch(/searchables_pkey|Seq Scan/);
});

async function explain(query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${query}`.execute(service.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
