import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { ageOn } from "@alcove/contract/fields";
import { CANDIDATE_DAYS } from "@alcove/contract/limits";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import { CLUSTER } from "../../testing/cluster-database.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import {
  countCells,
  EVERYONE,
  findAll,
  listSearchables,
  SEARCH_PATHS,
  searcher,
  storeProfiles,
  viewerOf,
  type Searcher,
} from "../../testing/searchers.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { suggestFilterChange } from "../cards/suggestion.ts";
import { cellAt } from "../position/cells.ts";
import { placeOf } from "../position/places.ts";
import { search } from "./search.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const EARTH_RADIUS_KM = 6371.007180918475;

function kmBetween(one: Searcher, other: Searcher): number {
  const [a, b] = [placeOf(service.ctx, one).vector, placeOf(service.ctx, other).vector];
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return EARTH_RADIUS_KM * Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

const KM_OF_MILE = 1.609344;
const BANDS = [0, 10, 25, 50, 100, 250, 500];

/** The product rules, computed independently of the search. */
function admits(one: Searcher, other: Searcher, day: string): boolean {
  const { filter } = one;
  const distance = kmBetween(one, other) / (filter.unit === "km" ? 1 : KM_OF_MILE);
  const nearest = Math.max(...BANDS.filter((end) => end <= filter.minRange));
  const farthest = Math.min(...BANDS.filter((end) => end > 0 && end >= filter.maxRange));
  return (
    (filter.sex === "all" || filter.sex === other.sex) &&
    admitsAge(one, other, day) &&
    nearest <= distance &&
    distance <= farthest
  );
}

function admitsAge({ filter }: Searcher, { dateOfBirth }: Searcher, day: string): boolean {
  const age = ageOn(day, dateOfBirth);
  return filter.minAge <= age && age <= filter.maxAge;
}

/** Test days: 29 February and its neighbours, and the end of a year. */
const DAYS = ["2028-02-29", "2027-02-28", "2027-03-01", "2026-12-31", "2027-06-15"];

/** Many birthdays are on the test day, near it or in its month. */
const birthdayAround = (today: string) =>
  fc
    .record({
      age: fc.integer({ min: 18, max: 70 }),
      offset: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -40, max: 40 })),
    })
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
        people: people.map(({ away, bearing, ...one }, i): Searcher => {
          const point = destination(longitude, latitude, away, bearing);
          return { ...one, memberId: i + 1, cell: cellAt(point.longitude, point.latitude) };
        }),
      })),
  );

/** The best filter change by docs/search.md. */
function bestChange(viewer: Searcher, admitted: (viewer: Searcher) => Searcher[]): string | null {
  const distance = { minRange: 0, maxRange: 500 };
  const age = { minAge: 0, maxAge: 140 };
  const help = (change: Partial<Searcher["filter"]>) => {
    const found = admitted({ ...viewer, filter: { ...viewer.filter, ...change } }).length;
    return found >= 10 ? 2 : Math.min(found, 1);
  };
  if (help(age) > help(distance)) return "wider_age";
  if (help(distance) > 0) return "wider_distance";
  if (help({ ...distance, ...age }) > 0) return "wider_distance_and_age";
  return help({ sex: "all" }) > 0 ? "all_sexes" : null;
}

/** `npm run test:long -- search` runs more cases and prints the seed. */
const CASES = Number(process.env["FUZZ_CASES"] ?? 40);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);

/** Compares the search in random populations with the rules. Returns the total number of found members. */
async function compareWithRules(numRuns: number, times: number): Promise<number> {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(population, async ({ day, people }) => {
      service.clock.set(`${day}T12:00:00Z`);
      await listSearchables(service, people);
      await storeProfiles(service, people);
      await countCells(service, times);
      const admitted = (viewer: Searcher) =>
        people.filter(
          (other) =>
            other.memberId !== viewer.memberId &&
            other.daysAway <= CANDIDATE_DAYS &&
            admits(viewer, other, day) &&
            admits(other, viewer, day),
        );
      for (const viewer of people.slice(0, 6)) {
        const expected = admitted(viewer);
        found += expected.length;
        const { memberIds, hasMatching } = await search(service.ctx, viewerOf(viewer), 10_000);
        const surplus = people.filter((one) => memberIds.includes(one.memberId) && !expected.includes(one));
        const ofWrongAge = surplus.filter(
          (one) => !admitsAge(viewer, one, day) || !admitsAge(one, viewer, day),
        );
        expect(memberIds).toEqual(expect.arrayContaining(expected.map(({ memberId }) => memberId)));
        expect(memberIds).toHaveLength(expected.length + ofWrongAge.length);
        expect(surplus.length).toBeLessThanOrEqual(memberIds.length / 4);
        expect(hasMatching).toBe(expected.length > 0);
        if (expected.length > 0 || viewer.memberId > 2) continue;
        const { suggestion } = await suggestFilterChange(service.ctx, viewerOf(viewer));
        expect(suggestion?.change ?? null).toBe(bestChange(viewer, admitted));
      }
    }),
    { numRuns, seed: SEED },
  );
  return found;
}

test.each(SEARCH_PATHS)(
  "the search that %s finds all mutual members, and few others, also at poles and date line",
  async (_, times) => {
    expect(await compareWithRules(CASES, times)).toBeGreaterThan(2.5 * CASES);
  },
  30_000 + CASES * 500,
);

test("admits members up to the ends of bands in both units, also for a range that ends within one", async () => {
  const tokyo = { longitude: 139.7671, latitude: 35.6812 };
  const her = searcher({ memberId: 1, cell: cellAt(tokyo.longitude, tokyo.latitude) });
  for (const arc of [0.01, 0.0722, 0.4, 1.1, 4.3]) {
    const point = destination(tokyo.longitude, tokyo.latitude, arc, arc * 10);
    const him = searcher({ memberId: 2, sex: "male", cell: cellAt(point.longitude, point.latitude) });
    for (const unit of ["km", "mile"] as const) {
      const distance = kmBetween(her, him) / (unit === "km" ? 1 : KM_OF_MILE);
      const below = BANDS.findLast((end) => end <= distance)!;
      const above = BANDS.find((end) => end > distance)!;
      const ranges = [
        [0, above, true],
        [0, below + 1, true],
        [0, below, below === 0],
        [below, 500, true],
        [above - 1, 500, true],
        [above, 500, false],
        [below, above, true],
        [below, below + 1, true],
        [above - 1, above, true],
        [above, above, false],
      ] as const;
      for (const [minRange, maxRange, isAdmitted] of ranges) {
        const viewer = { ...her, filter: { ...EVERYONE, unit, minRange, maxRange } };
        await listSearchables(service, [viewer, him]);
        const found = [await findAll(service, viewer), await findAll(service, him)];
        expect({ distance, minRange, maxRange, found }).toMatchObject({
          found: isAdmitted ? [[2], [1]] : [[], []],
        });
      }
    }
  }
});

// Citus has no generic plan, and "auto" never chooses one there.
const PLAN_MODES = ["force_custom_plan", ...(CLUSTER.length > 0 ? [] : ["force_generic_plan"])];
test.each(PLAN_MODES)("finds the same members under %s", { tags: "long" }, async (mode) => {
  const { db } = service;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]!.name);
  const first = service;
  await sql`alter database ${database} set plan_cache_mode = ${sql.lit(mode)}`.execute(db);
  service = await testService({ beside: first });
  try {
    for (const [, times] of SEARCH_PATHS) expect(await compareWithRules(25, times)).toBeGreaterThan(50);
  } finally {
    await service.close();
    service = first;
    await sql`alter database ${database} reset plan_cache_mode`.execute(db);
  }
});

test.each(SEARCH_PATHS)(
  "finds the remaining members when nearly all have a verdict: the search that %s",
  async (_, times) => {
    const { db, clock } = service;
    const members = Array.from({ length: 1_500 }, (__, i) => {
      const point = destination(139.7, 35.7, (i % 40) / 400, i);
      const cell = cellAt(point.longitude, point.latitude);
      return searcher({ memberId: i + 1, cell, daysAway: i % 60 });
    });
    await listSearchables(service, members);
    await countCells(service, times);
    await sql`
    insert into verdicts (actor, target, liked, day, sequence_no)
      select 1, no, no % 3 = 0, ${utcDay(clock.now())}::date, no from generate_series(2, 1400) no`.execute(
      db,
    );
    await sql`insert into block_edges select 1, no, 'i', ${clock.now()}, no from generate_series(1401, 1450) no`.execute(
      db,
    );

    const [viewer] = members;
    for (const maxRange of [500, 10]) {
      const { memberIds } = await search(
        service.ctx,
        viewerOf({ ...viewer!, filter: { ...EVERYONE, maxRange } }),
        60,
      );

      const remaining = members.slice(1_450).filter((one) => kmBetween(viewer!, one) <= maxRange);
      expect(memberIds.toSorted((a, b) => a - b)).toEqual(remaining.map(({ memberId }) => memberId));
      expect(remaining.length).toBeGreaterThan(5);
    }
  },
);

test("explains an empty list by seen members when the first ones found are hidden", async () => {
  const { db, clock } = service;
  const members = Array.from({ length: 600 }, (_, i) =>
    searcher({ memberId: i + 1, daysAway: i === 599 ? 50 : 0 }),
  );
  await listSearchables(service, members);
  await countCells(service, 5_000);
  await sql`insert into block_edges select 1, no, 'i', ${clock.now()}, no from generate_series(2, 599) no`.execute(
    db,
  );
  await sql`insert into verdicts (actor, target, liked, day, sequence_no)
    select 1, no, true, ${utcDay(clock.now())}::date, no from generate_series(300, 600) no`.execute(db);

  const { memberIds, hasMatching } = await search(service.ctx, viewerOf(members[0]!), 60);

  expect(memberIds).toEqual([]);
  expect(hasMatching).toBe(true);
});
