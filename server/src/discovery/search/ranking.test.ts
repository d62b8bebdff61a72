import fc from "fast-check";
import { expect, test } from "vitest";
import { documentedRank } from "../../testing/documented-order.ts";
import { NEWCOMER } from "../../testing/newcomer.ts";
import { rankCandidates } from "./ranking.ts";
import type { FoundMember } from "./search.sql.ts";

const TODAY = 20_000;
const NEAR = 0;
const FAR = 0.001;
const VIEWER = { memberId: 99, freshMatches: 0 };
const here = (memberId: number, changes: Partial<FoundMember> = {}): FoundMember => ({
  memberId,
  cell: 0,
  activeDay: TODAY,
  chordSquared: NEAR,
  isCertain: true,
  ...NEWCOMER,
  waitingLikes: 0,
  shownDay: TODAY,
  ...changes,
});
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const orderOf = (matching: FoundMember[], viewer = VIEWER) =>
  rankCandidates(viewer, TODAY, { likers: [], matching });

test("shows a liker first, and likers on two of three cards while there are any", () => {
  const likers = numbers(1, 5).map((memberId) => here(memberId));
  const matching = numbers(1, 12).map((memberId) => here(memberId));

  const order = rankCandidates(VIEWER, TODAY, { likers, matching });

  const isLiker = order.map((memberId) => memberId <= 5);
  expect(isLiker.slice(0, 9)).toEqual([true, true, false, true, true, false, true, false, false]);
  expect(order.toSorted((a, b) => a - b)).toEqual(numbers(1, 12));
});

test("ranks near and recently active members before far and inactive ones", () => {
  const order = orderOf([
    here(1, { chordSquared: FAR }),
    here(2, { activeDay: TODAY - 30 }),
    here(3),
    here(4, { activeDay: TODAY - 1 }),
  ]);

  expect(new Set(order.slice(0, 2))).toEqual(new Set([3, 4]));
  expect(new Set(order.slice(2))).toEqual(new Set([1, 2]));
});

test.each<[string, Partial<FoundMember>]>([
  ["many likes wait for them", { waitingLikes: 20 }],
  ["they have fresh matches", { freshMatches: 3 }],
  ["they are hardly ever here", { presence: 5, waitingLikes: 2 }],
  ["they like hardly anybody", { gives: 5 }],
  ["they leave matches without an answer", { replies: 5 }],
  ["they were shown often", { shownLately: 200 }],
  ["they were shown as often yesterday", { shownLately: 300, shownDay: TODAY - 1 }],
  ["more likes than they can answer are expected", { gets: 90, shownLately: 150 }],
])("ranks members later if %s", (_, changes) => {
  expect(orderOf([here(1, changes), here(2, changes.gets ? { gets: changes.gets } : {})])).toEqual([2, 1]);
});

test("ranks members first that were not shown for some days", () => {
  expect(orderOf([here(1), here(2, { shownDay: TODAY - 3 }), here(3, { shownDay: TODAY - 6 })])).toEqual([
    3, 2, 1,
  ]);
});

test("prefers the likelier match for a viewer without one, and the member without one for others", () => {
  const likely = here(1, { gets: 90, freshMatches: 5 });
  const alone = here(2, { gets: 27 });

  expect(orderOf([likely, alone])).toEqual([1, 2]);
  expect(orderOf([likely, alone], { memberId: 99, freshMatches: 5 })).toEqual([2, 1]);
});

test("orders random populations by the documented formula, in whichever order they are found", () => {
  const share = fc.integer({ min: 0, max: 100 });
  const member = fc.record({
    gives: share,
    gets: share,
    presence: share,
    replies: share,
    freshMatches: fc.nat(9),
    waitingLikes: fc.nat(20),
    shownLately: fc.nat(1_000),
    shownDay: fc.integer({ min: TODAY - 20, max: TODAY }),
    activeDay: fc.integer({ min: TODAY - 9, max: TODAY }),
  });

  fc.assert(
    fc.property(fc.array(member, { minLength: 2, maxLength: 40 }), fc.nat(5), (some, freshMatches) => {
      const matching = some.map((one, i) => here(i + 1, one));
      const card = { km: 0, today: TODAY, viewerFreshMatches: freshMatches, likesViewer: false };
      const order = orderOf(matching, { memberId: 99, freshMatches });
      const ranks = order.map((memberId) => documentedRank(matching[memberId - 1]!, card));
      expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
      expect(orderOf(matching.toReversed(), { memberId: 99, freshMatches })).toEqual(order);
    }),
  );
});

test("shuffles equal candidates for each viewer and day, regardless of the exact distance", () => {
  const matchingOn = (day: number) =>
    numbers(1, 50).map((memberId) =>
      here(memberId, { chordSquared: memberId * 1e-9, activeDay: day, shownDay: day }),
    );
  const firsts = (viewers: number[], days: number[]) =>
    new Set(
      viewers.flatMap((memberId) =>
        days.map(
          (day) =>
            rankCandidates({ memberId, freshMatches: 0 }, day, {
              likers: [],
              matching: matchingOn(day),
            })[0],
        ),
      ),
    );

  expect(firsts(numbers(100, 199), [TODAY]).size).toBeGreaterThan(30);
  expect(firsts([100], numbers(TODAY - 2, TODAY)).size).toBeGreaterThan(1);
});
