import { expect, test } from "vitest";
import { countries, isRegion } from "./countries.ts";
import { isTooLong, mergeRegions, REGIONS, rulesOf } from "./regions.ts";

test("knows countries and states of ISO 3166", () => {
  expect(new Set(countries).size).toBe(249);
  for (const code of ["DE", "TW", "US", "US-CA", "US-DC", "CA-QC"]) expect(isRegion(code), code).toBe(true);
  for (const code of ["", "UK", "EU", "XX", "de", "DEU", "US-XX", "US-", "DE_BY"])
    expect(isRegion(code), code).toBe(false);
});

test("merges an operator's file over the built-in table, a state over its country", () => {
  const merged = mergeRegions({
    TW: { open: true, withdrawal: { days: 7, share: "all" }, longest_plan: null, tax: 0.05, notices: [] },
    "US-NY": { longest_plan: { years: 2, usd: 1000 } },
    US: { tax: 0.01, notices: ["Sold by Example."] },
    DE: { open: false },
  });
  const regions = "regions" in merged ? merged.regions : {};

  expect(rulesOf(regions, "US-NY")).toMatchObject({ tax: 0.01, longest_plan: { years: 2, usd: 1_000 } });
  expect(rulesOf(regions, "US-TX")).toMatchObject({ withdrawal: null, notices: ["Sold by Example."] });
  expect(rulesOf(regions, "DE")).toMatchObject({ open: false, tax: 0.19, withdrawal: { days: 14 } });
  expect(rulesOf(regions, "JP")).toEqual(rulesOf(REGIONS, "JP"));
  expect(rulesOf(regions, null).withdrawal).toEqual({ days: 14, share: "unused" });
});

test("names each mistake of a file by its place", () => {
  const merged = mergeRegions({
    XX: {},
    DE: { tax: 19, withdrawal: { days: 0, share: "some" }, color: "red" },
    TW: { time_zone: "Taipei" },
  });
  const problems = "problems" in merged ? merged.problems.join("\n") : "";

  for (const part of ["DE.tax: must be from 0 to 1", "DE.withdrawal.days: must be from 1 to 365"])
    expect(problems).toContain(part);
  expect(problems).toContain('DE.withdrawal.share: must be "all" or "unused"');
  expect(problems).toContain("DE has unknown fields: color");
  expect(mergeRegions({ XX: {} })).toEqual({ problems: [expect.stringContaining('"XX" is no country')] });
  expect(mergeRegions({ TW: { time_zone: "Taipei" } })).toEqual({
    problems: ["TW.time_zone is no time zone (such as Europe/Berlin)"],
  });
  expect(mergeRegions([])).toEqual({ problems: [expect.stringContaining("must be an object")] });
});

test("allows two years or USD 1,000 in New York", () => {
  const rules = rulesOf(REGIONS, "US-NY");

  expect(isTooLong(rules, { months: 24, usd: 160 })).toBe(false);
  expect(isTooLong(rules, { months: 25, usd: 170 })).toBe(true);
  expect(isTooLong(rules, { months: 12, usd: 1_001 })).toBe(true);
  expect(isTooLong(rulesOf(REGIONS, "US-CA"), { months: 120, usd: 1_200 })).toBe(false);
});
