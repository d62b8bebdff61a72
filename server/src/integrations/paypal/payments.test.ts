import { expect, test } from "vitest";
import { toMoney } from "./payments.ts";

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
