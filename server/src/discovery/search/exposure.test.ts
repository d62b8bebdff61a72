import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import {
  countCells,
  EVERYONE,
  listSearchables,
  SEARCH_PATHS,
  searcher,
  storeProfiles,
  viewerOf,
} from "../../testing/searchers.ts";
import { documentedRank } from "../../testing/documented-order.ts";
import { seededRandom } from "../../testing/seeded-random.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { grantMembership } from "../../membership/index.ts";
import { cellAt } from "../position/cells.ts";
import { kmBetween } from "../position/distance.ts";
import { placeOf } from "../position/places.ts";
import { search } from "./search.ts";
import { activeDay } from "./search-index.ts";

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

/** The inputs of the order, with the days as numbers of days ago. */
function randomInputs(random: () => number) {
  const upTo = (max: number) => Math.floor(random() * (max + 1));
  return {
    gives: upTo(100),
    gets: upTo(100),
    presence: upTo(100),
    replies: upTo(100),
    freshMatches: upTo(4),
    waitingLikes: upTo(20),
    shownLately: upTo(400),
    daysUnshown: upTo(9),
  };
}

async function saveInputs(inputs: ReadonlyMap<number, ReturnType<typeof randomInputs>>): Promise<void> {
  const today = activeDay(service.clock.now());
  for (const [memberId, one] of inputs)
    await service.db
      .updateTable("searchables")
      .set({
        gives: one.gives,
        gets: one.gets,
        presence: one.presence,
        replies: one.replies,
        fresh_matches: one.freshMatches,
        waiting_likes: one.waitingLikes,
        shown_lately: one.shownLately,
        shown_day: today - one.daysUnshown,
      })
      .where("member_no", "=", memberId)
      .execute();
}

test.each(SEARCH_PATHS)(
  "orders random populations by the documented formula, likers early, each time alike: the search that %s",
  async (_, times) => {
    const { ctx, db } = service;
    const today = activeDay(service.clock.now());
    for (const seed of [1, 2]) {
      const random = seededRandom(seed);
      const women = Array.from({ length: 50 }, (__, i) => {
        const cell = cellAt(139.7 + 3 * random() ** 3, 35.7);
        return searcher({ memberId: i + 1, cell, daysAway: Math.floor(20 * random() ** 2) });
      });
      const man = searcher({ memberId: 1_000 + seed, sex: "male" });
      const inputs = new Map(women.map(({ memberId }) => [memberId, randomInputs(random)]));
      await storeProfiles(service, women.slice(0, 9)); // a liker is found by the region of the profile
      await listSearchables(service, [...women, man]);
      await saveInputs(inputs);
      await countCells(service, times);
      const likers = women.slice(0, 9).map(({ memberId }) => memberId);
      const likes = likers.map((actor, i) => ({ actor, target: man.memberId, sequence_no: i + 1 }));
      await db.deleteFrom("likes_received").execute();
      await db.insertInto("likes_received").values(likes).execute();

      const { memberIds } = await search(ctx, viewerOf(man), 60);

      const isLiker = memberIds.map((memberId) => likers.includes(memberId));
      expect(isLiker.slice(0, 15)).toEqual(Array.from({ length: 15 }, (__, i) => i <= 12 && i % 3 < 2));
      const rankOf = (memberId: number) => {
        const woman = women[memberId - 1]!;
        const { daysUnshown, ...one } = inputs.get(memberId)!;
        return documentedRank(
          { ...one, shownDay: today - daysUnshown, activeDay: today - woman.daysAway },
          {
            km: kmBetween(placeOf(ctx, man).vector, placeOf(ctx, woman).vector),
            today,
            viewerFreshMatches: 0,
            likesViewer: likers.includes(memberId),
          },
        );
      };
      for (const group of [true, false]) {
        const ranks = memberIds.filter((__, i) => isLiker[i] === group).map(rankOf);
        expect(ranks).toHaveLength(group ? likers.length : women.length - likers.length);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
      }
      expect((await search(ctx, viewerOf(man), 60)).memberIds).toEqual(memberIds);
    }
  },
);

test("orders members alike whether they pay or not", async () => {
  const women = Array.from({ length: 12 }, (_, i) => searcher({ memberId: i + 1 }));
  const man = searcher({ memberId: 13, sex: "male" });
  await storeProfiles(service, [...women, man]);
  await listSearchables(service, [...women, man]);
  const { memberIds } = await search(service.ctx, viewerOf(man), 60);
  const last = memberIds.slice(6);

  for (const memberId of last)
    await grantMembership(service.ctx, memberId, {
      year: 1,
      month: 0,
      source: "operator",
      grantId: randomUUID(),
    });

  expect(memberIds).toHaveLength(12);
  expect((await search(service.ctx, viewerOf(man), 60)).memberIds).toEqual(memberIds);
});
