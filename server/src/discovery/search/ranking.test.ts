import { expect, test } from "vitest";
import { rankCandidates } from "./ranking.ts";

const TODAY = 20_000;
const NEAR = 0;
const FAR = 0.001;
const here = (memberId: number, chordSquared = NEAR) => {
  return { memberId, activeDay: TODAY, chordSquared, isCertain: true, waitingLikes: 0 };
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("shows a liker first, and likers on two of three cards while there are any", () => {
  const likers = numbers(1, 5).map((memberId) => here(memberId));
  const matching = numbers(1, 12).map((memberId) => here(memberId));

  const order = rankCandidates(99, TODAY, { likers, matching });

  const isLiker = order.map((memberId) => memberId <= 5);
  expect(isLiker.slice(0, 9)).toEqual([true, true, false, true, true, false, true, false, false]);
  expect(order.toSorted((a, b) => a - b)).toEqual(numbers(1, 12));
});

test("ranks near and recently active members before far and inactive ones", () => {
  const matching = [
    here(1, FAR),
    { ...here(2), activeDay: TODAY - 30 },
    here(3),
    { ...here(4), activeDay: TODAY - 3 },
  ];

  const order = rankCandidates(99, TODAY, { likers: [], matching });

  expect(new Set(order.slice(0, 2))).toEqual(new Set([3, 4]));
  expect(new Set(order.slice(2))).toEqual(new Set([1, 2]));
});

test("ranks members with many waiting likes later", () => {
  const matching = [
    { ...here(1), waitingLikes: 20 },
    { ...here(2), waitingLikes: 5 },
    { ...here(3), waitingLikes: 4 },
  ];

  expect(rankCandidates(99, TODAY, { likers: [], matching })).toEqual([3, 2, 1]);
});

test("shuffles equal candidates for each viewer and day, regardless of the exact distance", () => {
  const matching = numbers(1, 50).map((memberId) => here(memberId, memberId * 1e-9));
  const firsts = (viewers: number[], days: number[]) =>
    new Set(
      viewers.flatMap((viewer) =>
        days.map((day) => rankCandidates(viewer, day, { likers: [], matching })[0]),
      ),
    );

  expect(firsts(numbers(100, 199), [TODAY]).size).toBeGreaterThan(30);
  expect(firsts([100], numbers(TODAY - 2, TODAY)).size).toBeGreaterThan(1);
});
