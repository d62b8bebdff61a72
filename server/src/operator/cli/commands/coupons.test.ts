import { expect, test } from "vitest";
import { parseTime } from "./coupons.ts";

test.each([
  ["2027-01-31", "2027-02-01T00:00:00.000Z"],
  ["2028-02-29", "2028-03-01T00:00:00.000Z"],
  ["2027-12-31", "2028-01-01T00:00:00.000Z"],
  ["2027-01-31T23:59:59Z", "2027-01-31T23:59:59.000Z"],
  ["2027-02-28T23:30+09:00", "2027-02-28T14:30:00.000Z"],
])("ends a coupon of --expires-at %s at %s", (typed, at) => {
  expect(parseTime(typed).toISOString()).toBe(at);
});

test.each([
  "2027-02-30",
  "2027-02-29T10:00:00Z",
  "2027-04-31",
  "2027-13-01",
  "2027-01-31T25:00Z",
  "31.1.2027",
])("rejects --expires-at %s", (typed) => {
  expect(() => parseTime(typed)).toThrow("--expires-at must be a day");
});
