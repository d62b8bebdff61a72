import { expect, test } from "vitest";
import { likelyCurrency } from "./plan-text.ts";

// Readers of simplified Chinese often live outside the countries of our currencies.
test.each([
  ["en", "USD"],
  ["ja", "JPY"],
  ["zh-hans", "USD"],
  ["zh-hant", "TWD"],
] as const)("expects that a reader of %s pays in %s", (language, currency) => {
  expect(likelyCurrency(language)).toBe(currency);
});
