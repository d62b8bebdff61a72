import { expect, test } from "vitest";
import { isSameMoney, moneyOf } from "./payments.ts";

test.each([
  ["USD", 10, "10.00"],
  ["USD", 1_230, "1230.00"],
  ["JPY", 1_500, "1500"],
  ["TWD", 2_800, "2800"],
] as const)("%s %i is written %s", (currency, amount, value) => {
  expect(moneyOf(currency, amount)).toEqual({ currency_code: currency, value });
});

test.each([0, -10, 9.5, Number.NaN, Infinity])("%d is no sum to be paid", (amount) => {
  expect(() => moneyOf("USD", amount)).toThrow("no sum");
});

test("a sum is the same however its decimals are written, in its own currency alone", () => {
  const ten = moneyOf("USD", 10);

  expect(isSameMoney(ten, { currency_code: "USD", value: "10.0" })).toBe(true);
  expect(isSameMoney(ten, { currency_code: "USD", value: "10.01" })).toBe(false);
  expect(isSameMoney(ten, { currency_code: "TWD", value: "10.00" })).toBe(false);
  expect(isSameMoney(ten, { currency_code: "USD", value: "ten" })).toBe(false);
});
