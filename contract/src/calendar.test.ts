import { expect, test } from "vitest";
import { addMonths, endOf, endOfDay, extendedUntil, extendTerm, type Term } from "./calendar.ts";

test.each([
  ["2026-01-31T10:00:00Z", 1, "UTC", "2026-02-28T10:00:00Z"],
  ["2028-01-31T10:00:00Z", 1, "UTC", "2028-02-29T10:00:00Z"],
  ["2028-02-29T10:00:00Z", 12, "UTC", "2029-02-28T10:00:00Z"],
  ["2026-12-15T00:00:00Z", 2, "UTC", "2027-02-15T00:00:00Z"],
  ["2026-10-31T23:59:59.250Z", 25, "UTC", "2028-11-30T23:59:59.250Z"],
  // 1 March at 8:00 in Tokyo.
  ["2027-02-28T23:00:00Z", 1, "Asia/Tokyo", "2027-03-31T23:00:00Z"],
  ["2027-02-01T03:00:00Z", 1, "America/Los_Angeles", "2027-03-01T03:00:00Z"],
  // Clocks go forward and back in between, or skip the time of day.
  ["2027-03-15T08:00:00Z", 1, "Europe/Berlin", "2027-04-15T07:00:00Z"],
  ["2027-10-15T07:00:00Z", 1, "Europe/Berlin", "2027-11-15T08:00:00Z"],
  ["2027-02-28T01:30:00Z", 1, "Europe/Berlin", "2027-03-28T01:30:00Z"],
  ["2027-01-31T18:15:00Z", 1, "Asia/Kathmandu", "2027-02-28T18:15:00Z"],
  ["2027-02-14T10:30:00Z", 1, "America/Los_Angeles", "2027-03-14T10:30:00Z"],
  ["2011-11-30T20:00:00Z", 1, "Pacific/Apia", "2011-12-30T20:00:00Z"],
])("adds to %s %i months as shown in %s: %s", (from, months, zone, to) => {
  expect(addMonths(new Date(from), months, zone)).toEqual(new Date(to));
});

const months = (from: string, zone: string, ...plans: number[]) =>
  plans.reduce<Term | null>((term, one) => extendTerm(term, new Date(from), one, zone), null)!;

test.each([
  ["2027-01-31T10:00:00Z", "UTC", [1, 1], "2027-03-31T10:00:00Z"],
  ["2027-01-30T10:00:00Z", "UTC", [1, 1], "2027-03-30T10:00:00Z"],
  ["2027-08-31T10:00:00Z", "UTC", [1, 1, 1, 1], "2027-12-31T10:00:00Z"],
  ["2028-02-29T10:00:00Z", "UTC", [12, 36], "2032-02-29T10:00:00Z"],
  ["2027-01-30T15:00:00Z", "Asia/Tokyo", [1, 1], "2027-03-30T15:00:00Z"],
  ["2027-02-01T07:30:00Z", "America/Los_Angeles", [1, 1], "2027-04-01T06:30:00Z"],
])("keeps the day of the first purchase at %s in %s after %j months", (from, zone, plans, until) => {
  expect(endOf(months(from, zone, ...plans))).toEqual(new Date(until));
});

test("begins a new term when the last one is over", () => {
  const term = months("2027-01-31T10:00:00Z", "UTC", 1);

  expect(extendedUntil(term, new Date("2027-02-28T10:00:00Z"), { year: 0, month: 1 }, "UTC")).toEqual(
    new Date("2027-03-28T10:00:00Z"),
  );
  expect(extendedUntil(null, new Date("2027-02-28T23:00:00Z"), { year: 0, month: 1 }, "Asia/Tokyo")).toEqual(
    new Date("2027-03-31T23:00:00Z"),
  );
});

test.each([
  ["2027-02-28", "UTC", "2027-03-01T00:00:00.000Z"],
  ["2027-02-28", "Asia/Tokyo", "2027-02-28T15:00:00.000Z"],
  ["2027-03-28", "Europe/Berlin", "2027-03-28T22:00:00.000Z"],
  ["2027-12-31", "America/Los_Angeles", "2028-01-01T08:00:00.000Z"],
  ["2028-02-29", "Asia/Kathmandu", "2028-02-29T18:15:00.000Z"],
  // Midnight is skipped, or comes twice.
  ["2027-09-04", "America/Santiago", "2027-09-05T04:00:00.000Z"],
  ["2027-03-27", "Atlantic/Azores", "2027-03-28T01:00:00.000Z"],
  ["2027-04-29", "Africa/Cairo", "2027-04-29T22:00:00.000Z"],
  ["2027-11-06", "America/Havana", "2027-11-07T04:00:00.000Z"],
])("ends the day %s in %s at %s", (day, zone, end) => {
  expect(endOfDay(day, zone)?.toISOString()).toBe(end);
});

test.each(["2027-02-30", "2027-02-29", "2027-13-01", "2027-4-1", "", "2027-02-28T00:00:00Z"])(
  "knows no day %j",
  (day) => {
    expect(endOfDay(day, "UTC")).toBeNull();
  },
);
