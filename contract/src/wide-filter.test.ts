import { expect, test } from "vitest";
import { isWideFilter } from "./wide-filter.ts";

const filter = {
  search_range_unit: "km" as const,
  search_min_range: 0,
  search_max_range: 50,
  search_min_age: 35,
  search_max_age: 45,
};

test.each([
  [{}, true],
  [{ search_max_age: 44 }, false],
  [{ search_max_range: 49 }, false],
  [{ search_min_range: 450, search_max_range: 499 }, false],
  [{ search_range_unit: "mile" as const, search_max_range: 31 }, false],
  [{ search_range_unit: "mile" as const, search_max_range: 32 }, true],
  // Nobody is younger than 18.
  [{ search_min_age: 0, search_max_age: 27 }, false],
  [{ search_min_age: 0, search_max_age: 28 }, true],
])("knows whether a filter with %j fits many members", (change, isWide) => {
  expect(isWideFilter({ ...filter, ...change })).toBe(isWide);
});
