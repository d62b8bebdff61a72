import { expect, test } from "vitest";
import { isSameMoney, toMoney } from "./payments.ts";

test.each([
  ["USD", 10, "10.00"],
  ["USD", 1_230, "1230.00"],
  ["JPY", 1_500, "1500"],
  ["TWD", 2_800, "2800"],
] as const)("writes %s %i as %s", (currency, amount, value) => {
  expect(toMoney(currency, amount)).toEqual({ currency_code: currency, value });
});

test.each([0, -10, 9.5, Number.NaN, Infinity])("rejects %d as an amount", (amount) => {
  expect(() => toMoney("USD", amount)).toThrow("not a payable amount");
});

test("compares amounts by value and currency", () => {
  const ten = toMoney("USD", 10);

  expect(isSameMoney(ten, { currency_code: "USD", value: "10.0" })).toBe(true);
  expect(isSameMoney(ten, { currency_code: "USD", value: "10.01" })).toBe(false);
  expect(isSameMoney(ten, { currency_code: "TWD", value: "10.00" })).toBe(false);
  expect(isSameMoney(ten, { currency_code: "USD", value: "ten" })).toBe(false);
});
