import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ageOn } from "@alcove/contract/fields";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser } from "@alcove/contract/discovery";
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from "../../platform/clock.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { ownService, serviceForTest } from "../../testing/service-for-test.ts";
import { rounds } from "../../testing/rounds.ts";
import {
  countCells,
  EVERYONE,
  listSearchables,
  SEARCH_PATHS,
  searcher,
  type Searcher,
  storeProfiles,
} from "../../testing/searchers.ts";
import { recordStatements } from "../../testing/statements.ts";
import { type TestMember, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let viewerMember: TestMember;
/** Each test has its own service, because the pause after an exhausted search is in memory. */
async function startService(viewer: { paid: boolean }): Promise<void> {
  service = await ownService({ config: { dayTimeZone: "Asia/Tokyo" } });
  service.clock.set("2029-01-01"); // a membership of a year covers all test days
  viewerMember = await service.member("searcher_1", { ...viewer, at: null });
}

/** The product rule, where everyone lives in one place. */
function areMutual(a: Searcher, b: Searcher, day: string): boolean {
  const admits = ({ filter }: Searcher, { dateOfBirth }: Searcher) =>
    filter.minAge <= ageOn(day, dateOfBirth) && ageOn(day, dateOfBirth) <= filter.maxAge;
  return admits(a, b) && admits(b, a);
}

/** With the days after them: the ends of February, of a month and of a year, and a day within a month. */
const DAYS = ["2028-02-28", "2028-02-29", "2027-02-28", "2026-12-31", "2027-04-30", "2027-06-14"];

interface Case {
  readonly day: string;
  readonly viewer: Searcher;
  readonly others: readonly (Searcher & { isSeen: boolean; hasLiked: boolean })[];
}

const ages = fc.integer({ min: 38, max: 42 });

const birth = (day: string) =>
  fc
    .record({
      age: ages,
      offset: fc.oneof(fc.constant(1), fc.integer({ min: -1, max: 2 }), fc.integer({ min: -32, max: 32 })),
    })
    .map(({ age, offset }) => {
      const near = new Date(Date.parse(day) + offset * DAY_MS);
      const born = Date.UTC(near.getUTCFullYear() - age, near.getUTCMonth(), near.getUTCDate());
      return new Date(born).toISOString().slice(0, 10);
    });

const filter = fc.oneof(
  fc.constant(EVERYONE),
  fc
    .record({ minAge: ages, width: fc.nat(3) })
    .map(({ minAge, width }) => Object.assign({ ...EVERYONE }, { minAge, maxAge: minAge + width })),
);

function some<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    fc.array(one, { maxLength: 4 }),
    fc.array(one, { minLength: 5, maxLength: 25, size: "max" }),
  );
}

const cases: fc.Arbitrary<Case> = fc.constantFrom(...DAYS).chain((day) => {
  const person = { dateOfBirth: birth(day), filter };
  const other = fc.record({
    ...person,
    daysAway: fc.constantFrom(0, 5, 30),
    isSeen: fc.constantFrom(false, false, false, true),
    hasLiked: fc.constantFrom(false, false, true),
  });
  return fc.record({ viewer: fc.record(person), others: some(other) }).map(({ viewer, others }) => ({
    day,
    viewer: searcher({ ...viewer, memberId: 1 }),
    others: others.map((one, i) => ({ ...searcher({ ...one, memberId: i + 2 }), ...one })),
  }));
});

let caseCount = 0;

/** In the last hour before midnight UTC, the morning of Tokyo. No case starts within the pause after another's search. */
async function arrange({ day, viewer, others }: Case, times: number): Promise<void> {
  const { db, clock } = service;
  clock.set(new Date(Date.parse(`${day}T23:00:00Z`) + (caseCount++ % 60) * MINUTE_MS));
  for (const table of ["decks", "quota_days", "likes_received"] as const)
    await sql`delete from ${sql.table(table)}`.execute(db);
  await listSearchables(service, [viewer, ...others]);
  await storeProfiles(service, [viewer, ...others]);
  await countCells(service, times);
  const [seen, likers] = [others.filter(({ isSeen }) => isSeen), others.filter(({ hasLiked }) => hasLiked)];
  const numbers = (some: Case["others"]) => some.map(({ memberId }) => memberId);
  await sql`
    insert into verdicts (actor, target, liked, day, sequence_no) select 1, no, false, ${day}::date, no from unnest(${numbers(seen)}::int8[]) no`.execute(
    db,
  );
  await sql`insert into likes_received (target, actor, sequence_no) select 1, no, no from unnest(${numbers(likers)}::int8[]) no`.execute(
    db,
  );
}

/** Fetches until the list is empty. */
async function fetchAll(): Promise<{ shown: number[]; reason: unknown; suggestion: unknown }> {
  const viewer = await logInAgain(service, viewerMember);
  const shown: string[] = [];
  for (;;) {
    const { options, reason, suggestion } = await viewer.call(getOptions, { ids: shown.join() });
    if (options.length === 0) return { shown: shown.map(numberOf), reason, suggestion };
    shown.push(...options.map((option) => option.user_id));
  }
}

async function fetchCard(): Promise<number[]> {
  const { options } = await (await logInAgain(service, viewerMember)).call(getOptions, {});
  return options.map((option) => numberOf(option.user_id));
}

const numberOf = (userId: string) => Number(userId.replace("searcher_", ""));

/** Members without a verdict whom the rules admit. */
function candidatesOf({ viewer, others }: Case, day: string): number[] {
  return others.flatMap((one) => (!one.isSeen && areMutual(viewer, one, day) ? [one.memberId] : []));
}

function reasonOf({ viewer, others }: Case, day: string): string {
  if (others.some((one) => areMutual(viewer, one, day))) return "all_seen";
  return others.length > 0 ? "filters_too_narrow" : "nobody_in_range";
}

function suggestionOf({ viewer, ...rest }: Case, day: string): string | undefined {
  const wider = { ...viewer, filter: { ...viewer.filter, minAge: 0, maxAge: 140 } };
  return candidatesOf({ ...rest, viewer: wider }, day).length > 0 ? "wider_age" : undefined;
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

test.each(SEARCH_PATHS)(
  "shows a paid member exactly the mutual members today and after midnight: the search that %s",
  async (_, times) => {
    await startService({ paid: true });
    let total = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        await arrange(one, times);
        for (const [index, hours] of [0, 1].entries()) {
          service.clock.advance(hours * HOUR_MS);
          const day = utcDay(service.clock.now());
          const expected = candidatesOf(one, day);
          total += expected.length;

          const { shown, reason, suggestion } = await fetchAll();

          expect([index, ...sorted(shown)]).toEqual([index, ...expected]);
          expect([index, reason]).toEqual([index, reasonOf(one, day)]);
          if (expected.length === 0) expect([index, suggestion]).toEqual([index, suggestionOf(one, day)]);
        }
      }),
      { numRuns: rounds(40) },
    );
    expect(total).toBeGreaterThan(0);
  },
  60_000,
);

test("keeps a card of the day after midnight UTC at any age of both", async () => {
  await startService({ paid: false });
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      await arrange(one, 1);
      const before = candidatesOf(one, utcDay(service.clock.now()));
      const [card, ...more] = await fetchCard();
      expect(more).toEqual([]);
      expect(card === undefined ? before : before.includes(card)).toEqual(card === undefined ? [] : true);

      service.clock.advance(HOUR_MS);
      const after = candidatesOf(one, utcDay(service.clock.now()));
      const [next] = await fetchCard();

      if (card !== undefined) expect(next).toBe(card);
      else {
        expect(next === undefined ? after : after.includes(next)).toEqual(next === undefined ? [] : true);
      }
    }),
    { numRuns: rounds(60) },
  );
}, 60_000);

/** The viewer seeks 40 to 45; on 15 June these are born in a month that some days of birth exclude. */
const VIEWER = searcher({ memberId: 1, filter: { ...EVERYONE, minAge: 40, maxAge: 45 } });
const TOO_YOUNG = "1986-06-16";
const FITTING = "1984-01-01";
const verdictless = { isSeen: false, hasLiked: false };

test.each(SEARCH_PATHS)(
  "finds fitting members behind many near ones who are a day too young: the search that %s",
  async (_, times) => {
    await startService({ paid: true });
    // More and fewer members than a search for 60 finds.
    for (const count of [200, 100]) {
      const others = Array.from({ length: count }, (__, i) => {
        const [dateOfBirth, daysAway] = i % 20 === 0 ? [FITTING, 50] : [TOO_YOUNG, 0];
        return { ...searcher({ memberId: i + 2, dateOfBirth, daysAway }), ...verdictless };
      });
      const one = { day: "2026-06-15", viewer: VIEWER, others };
      await arrange(one, times);

      const { shown } = await fetchAll();

      expect(sorted(shown)).toEqual(candidatesOf(one, "2026-06-15"));
      expect(shown).toHaveLength(count / 20);
    }
  },
);

test.each(SEARCH_PATHS)(
  "gives the reason and the suggestion for an empty list by exact ages: the search that %s",
  async (_, times) => {
    await startService({ paid: true });
    const beforeAndAfterMidnight = async (viewer: Searcher, other: Case["others"][number]) => {
      await arrange({ day: "2026-06-15", viewer, others: [other] }, times);
      const before = await fetchAll();
      service.clock.advance(HOUR_MS);
      return [before, await fetchAll()].map(({ shown, reason, suggestion }) => [shown, reason, suggestion]);
    };
    const seen = { ...searcher({ memberId: 2, dateOfBirth: TOO_YOUNG }), isSeen: true, hasLiked: false };
    const seeksOlder = { ...EVERYONE, minAge: 60 };
    const young = searcher({ memberId: 1, dateOfBirth: TOO_YOUNG, filter: seeksOlder });
    const choosy = searcher({ memberId: 2, dateOfBirth: FITTING, filter: VIEWER.filter });

    expect(await beforeAndAfterMidnight(VIEWER, seen)).toEqual([
      [[], "filters_too_narrow", undefined],
      [[], "all_seen", undefined],
    ]);
    expect(await beforeAndAfterMidnight(young, { ...choosy, ...verdictless })).toEqual([
      [[], "filters_too_narrow", undefined],
      [[], "filters_too_narrow", "wider_age"],
    ]);
  },
);

/** Jobs run beside the fetch. */
const OF_A_FETCH = /birth_month|verdicts|likes_received|decks|encrypted_profile/;

test("adds no statement for a candidate whose exact age is checked", async () => {
  await startService({ paid: true });
  const statementsWith = async (dateOfBirth: string) => {
    const others = Array.from({ length: 20 }, (_, i) => {
      const born = i % 10 === 0 ? dateOfBirth : FITTING;
      return { ...searcher({ memberId: i + 2, dateOfBirth: born }), ...verdictless };
    });
    await arrange({ day: "2026-06-15", viewer: VIEWER, others }, 1);
    const viewer = await logInAgain(service, viewerMember);
    let count = 0;
    const statements = await recordStatements(async () => {
      count = (await viewer.call(getOptions, {})).options.length;
    });
    // The second time, texts of members of the first arrangement are cached.
    const isOfFetch = (text: string) => OF_A_FETCH.test(text) && !text.includes("profile_nonce");
    return { count, statements: statements.filter(isOfFetch) };
  };

  const certain = await statementsWith(FITTING);
  const uncertain = await statementsWith(TOO_YOUNG);

  expect(certain.statements.filter((text) => text.includes("encrypted_profile"))).toHaveLength(2);
  expect(uncertain.statements).toEqual(certain.statements);
  expect([certain.count, uncertain.count]).toEqual([10, 10]);
});

test("keeps a card of the day when both ages suited on one day only", async () => {
  await startService({ paid: false });
  const viewer = searcher({ memberId: 1, dateOfBirth: "1986-06-16", filter: { ...EVERYONE, minAge: 40 } });
  const filter = { ...EVERYONE, maxAge: 39 };
  const turns40Today = searcher({ memberId: 2, dateOfBirth: "1986-06-15", filter });
  const turns40Tomorrow = searcher({ memberId: 3, dateOfBirth: "1986-06-16" });
  const others = [turns40Today, turns40Tomorrow].map((one) => Object.assign(one, verdictless));
  await arrange({ day: "2026-06-15", viewer, others }, 1);

  const card = await fetchCard();
  service.clock.advance(HOUR_MS);

  expect([card, await fetchCard()]).toEqual([[2], [2]]);
});

test("keeps a card for a changed filter that admits an age of the month of birth", async () => {
  await startService({ paid: false });
  const viewer = searcher({ memberId: 1 });
  const turns40Today = searcher({ memberId: 2, dateOfBirth: "1986-06-15" });
  const younger = searcher({ memberId: 3, dateOfBirth: "1990-01-01" });
  await arrange({ day: "2026-06-15", viewer, others: [Object.assign(turns40Today, verdictless)] }, 1);
  expect(await fetchCard()).toEqual([2]);
  await listSearchables(service, [viewer, turns40Today, younger]);
  await storeProfiles(service, [viewer, turns40Today, younger]);

  const cardWith = async (ages: { minAge: number; maxAge: number }) => {
    await storeProfiles(service, [{ ...viewer, filter: { ...EVERYONE, ...ages } }, turns40Today, younger]);
    return fetchCard();
  };

  expect(await cardWith({ minAge: 30, maxAge: 39 })).toEqual([2]);
  expect(await cardWith({ minAge: 40, maxAge: 60 })).toEqual([2]);
  expect(await cardWith({ minAge: 30, maxAge: 38 })).toEqual([3]);
});

test("shows others an age that turns with the month of birth, and the member the exact one", async () => {
  const ageService = await serviceForTest();
  const { member, clock } = ageService;
  const setDay = (day: string) => clock.set(`${day}T23:59:59Z`);
  setDay("2026-05-31");
  let taro = await member("taro", { paid: true });
  let hanako = await member("hanako", { date_of_birth: "1986-06-16" });
  const ages: Record<string, unknown> = {};
  for (const day of ["2026-05-31", "2026-06-01", "2026-06-15", "2026-06-16", "2026-06-30", "2026-07-01"]) {
    setDay(day);
    [taro, hanako] = [await logInAgain(ageService, taro), await logInAgain(ageService, hanako)];
    const card = (await taro.call(getOptions, {})).options[0]?.age;
    const page = (await taro.call(getUser, { userId: "hanako" })).user.age;
    ages[day] = [card, page, (await hanako.call(getOwnUser, {})).user.age];
  }
  expect(ages).toEqual({
    "2026-05-31": [39, 39, 39],
    "2026-06-01": [40, 40, 39],
    "2026-06-15": [40, 40, 39],
    "2026-06-16": [40, 40, 40],
    "2026-06-30": [40, 40, 40],
    "2026-07-01": [40, 40, 40],
  });
});

test("shows a new liker only on the day on which both ages suit", async () => {
  const { member, clock } = await ownService();
  clock.set("2026-06-15T23:59:00Z");
  const taro = await member("taro", { paid: true, search_min_age: 40, search_max_age: 45 });
  expect((await taro.call(getOptions, {})).options).toEqual([]);
  const hanako = await member("hanako", { date_of_birth: TOO_YOUNG });
  await hanako.call(likeUser, { likedId: "taro" });

  const before = await taro.call(getOptions, {});
  clock.advance(HOUR_MS / 60);
  const after = await taro.call(getOptions, {});

  expect([before.options, before.reason]).toEqual([[], "filters_too_narrow"]);
  expect(after.options).toMatchObject([{ user_id: "hanako", age: 40 }]);
});
