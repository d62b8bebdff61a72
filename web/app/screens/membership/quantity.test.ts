import { expect, test } from "vitest";
import { readQuantity } from "./quantity.ts";

test.each([
  ["3", 3],
  [" 12 ", 12],
  ["１２", 12],
  ["007", 7],
  ["0", 0],
  ["", 0],
  ["-", 0],
  ["-1", 0],
  ["1.5", 0],
  ["1e9", 0],
  ["0x10", 0],
  ["1,000", 0],
  ["三", 0],
  ["1²", 0],
  ["NaN", 0],
  ["99", 50],
  ["9".repeat(400), 50],
])("reads %j as %i", (typed, quantity) => {
  expect(readQuantity(typed, 50)).toBe(quantity);
});
