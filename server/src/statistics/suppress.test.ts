import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FEW, showLevels, showSum } from "./suppress.ts";

const day = (count: number) => ({ count, sum: count * 80 });
const month = (...counts: number[]) => showSum(counts.map(day)).count;

test("shows none as 0, 1 to 9 as few, and ten", () => {
  expect([0, 1, 9, 10].map((count) => month(count))).toEqual([0, FEW, FEW, 10]);
  expect(showSum([{ count: 9, sum: 720 }]).sum).toBe(FEW);
  expect(showSum([{ count: 10, sum: 800 }]).sum).toBe(800);
});

test("adds up days of few only if they are ten together", () => {
  expect(month(12, 3)).toBe(12);
  expect(month(12, 3, 7)).toBe(22);
  expect(month(3, 3, 3)).toBe(FEW);
  expect(month(3, 3, 4)).toBe(10);
});

test("no difference of a month and its days reveals fewer than ten", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 31 }), (counts) => {
      const shown = month(...counts);
      if (shown === FEW) return counts.every((count) => count < 10);
      const days = counts.map((count) => month(count)).filter((one) => one !== FEW);
      const rest = shown - days.reduce((sum: number, one) => sum + one, 0);
      return rest === 0 || rest >= 10;
    }),
  );
});

test("changes the number of members in steps of ten", () => {
  expect(showLevels([0, 3, 12, 13, 21, 22, 40, 31, 30, 9, 0])).toEqual([
    0,
    FEW,
    12,
    12,
    12,
    22,
    40,
    40,
    30,
    FEW,
    0,
  ]);
});
