import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOn } from "@alcove/contract/fields";
import { DAY_MS, monthOf } from "../../platform/clock.ts";
import { EVERYONE, searcher } from "../../testing/searchers.ts";
import { agesOfMonth, birthMonthsOf, filterFingerprintOf, fingerprintOf } from "./mutual-filter.ts";

const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);
const date = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / DAY_MS, max: Date.parse(to) / DAY_MS })
    .map((day) => dayAt(day * DAY_MS));

/** Days of four years in a row, with one 29 February, and birthdays at most a month from them. */
const dayAndBirth = date("2025-01-01", "2028-12-31").chain((day) =>
  fc
    .record({ age: fc.integer({ min: 18, max: 80 }), offset: fc.integer({ min: -32, max: 32 }) })
    .map(({ age, offset }) => {
      const near = new Date(Date.parse(day) + offset * DAY_MS);
      const born = Date.UTC(near.getUTCFullYear() - age, near.getUTCMonth(), near.getUTCDate());
      return { day, dateOfBirth: dayAt(born), age };
    }),
);

test("admits by months exactly the members whom some day of birth in their month admits", () => {
  fc.assert(
    fc.property(
      dayAndBirth,
      fc.integer({ min: -1, max: 1 }),
      fc.nat(2),
      ({ day, dateOfBirth, age }, from, width) => {
        const filter = { ...EVERYONE, minAge: age + from, maxAge: age + from + width };
        const born = searcher({ memberId: 1, dateOfBirth });
        const month = monthOf(dateOfBirth);
        const ages = daysOfMonth(dateOfBirth).map((one) => ageOn(day, one));
        const admitted = ages.filter((one) => filter.minAge <= one && one <= filter.maxAge);

        const { first, last } = birthMonthsOf(filter, day);
        const { least, most } = agesOfMonth(born, day);

        expect(least).toBeLessThanOrEqual(Math.min(...ages));
        expect(most).toBeGreaterThanOrEqual(Math.max(...ages));
        expect(most - least).toBe(monthOf(day) % 12 === month % 12 ? 1 : 0);
        if (admitted.length > 0) expect(first <= month && month <= last).toBe(true);
        if (first < month && month < last) expect(admitted).toEqual(ages);
        if (month < first || last < month) expect(admitted).toEqual([]);
        // Every age of the month counts as possible, also on its first and last day.
        expect(first <= month && month <= last).toBe(filter.minAge <= most && least <= filter.maxAge);
      },
    ),
    { numRuns: 2_000 },
  );
});

function daysOfMonth(date: string): string[] {
  const month = date.slice(0, 7);
  const days = Array.from({ length: 31 }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
  return days.filter((day) => {
    const at = new Date(`${day}T00:00:00Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
  });
}

test("stores fingerprints that a date of birth does not change, but place and filter do", () => {
  const hanako = searcher({ memberId: 1, dateOfBirth: "1985-01-01" });
  const sameBut = (change: object) => fingerprintOf({ ...hanako, ...change });

  expect(sameBut({ dateOfBirth: "1971-03-19" })).toBe(fingerprintOf(hanako));
  expect(sameBut({ cell: hanako.cell + 1 })).not.toBe(fingerprintOf(hanako));
  const filter = { ...EVERYONE, maxAge: 50 };
  expect(sameBut({ filter })).not.toBe(fingerprintOf(hanako));
  expect(filterFingerprintOf(filter)).not.toBe(filterFingerprintOf(EVERYONE));
});
