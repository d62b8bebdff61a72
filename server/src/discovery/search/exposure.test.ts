import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import {
  countCells,
  EVERYONE,
  listSearchables,
  SEARCH_PATHS,
  searcher,
  viewerOf,
} from "../../testing/searchers.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { search } from "./search.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

test("orders two equal candidates differently for each viewer", async () => {
  const people = Array.from({ length: 40 }, (_, i) =>
    searcher({ memberId: i + 1, sex: i % 2 ? "male" : "female" }),
  );
  await listSearchables(service, people);

  const firsts = new Set<number>();
  for (const viewer of people.slice(20))
    firsts.add((await search(service.ctx, viewerOf(viewer), 60)).memberIds[0]!);

  expect(firsts.size).toBeGreaterThan(8);
});

test.each(SEARCH_PATHS)(
  "shows everyone in a crowded cell, new members too: the search that %s",
  async (_, times) => {
    const members = Array.from({ length: 2_000 }, (__, i) => {
      const [sex, soughtSex] = i % 2 ? (["male", "female"] as const) : (["female", "male"] as const);
      return searcher({ memberId: i + 1, sex, filter: { ...EVERYONE, sex: soughtSex }, daysAway: i % 3 });
    });
    await listSearchables(service, members);
    await countCells(service, times);

    const shown = new Set<number>();
    const men = members.filter(({ sex }) => sex === "male").slice(0, 300);
    for (const man of men) {
      const { memberIds } = await search(service.ctx, viewerOf(man), 60);
      for (const memberId of memberIds.slice(0, 10)) shown.add(memberId);
    }

    // 3,000 random cards for 1,000 women would show 950 of them.
    expect(shown.size).toBeGreaterThan(700);
  },
);

test("ranks popular members after others of equal distance and activity", async () => {
  const { db } = service;
  const women = Array.from({ length: 100 }, (_, i) => searcher({ memberId: i + 1 }));
  const man = searcher({ memberId: 1_000, sex: "male" });
  await listSearchables(service, [...women, man]);
  await sql`update searchables set waiting_likes = 20 where member_no <= 50`.execute(db);

  const { memberIds } = await search(service.ctx, viewerOf(man), 60);

  expect(memberIds).toHaveLength(60);
  expect(memberIds.slice(0, 50).filter((memberId) => memberId <= 50)).toEqual([]);
  expect(memberIds.slice(50).filter((memberId) => memberId > 50)).toEqual([]);
});
