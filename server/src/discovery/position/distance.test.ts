import fc from "fast-check";
import { expect, test } from "vitest";
import { DISTANCE_BANDS, SMALLEST_BAND } from "@alcove/contract/limits";
import { distanceBand, chordSquaredOf, kmOfChordSquared, kmOfRange } from "./distance.ts";

test.each([
  [0, "km", 5],
  [4.999, "km", 5],
  [5.001, "km", 10],
  [499.9, "km", 500],
  [500.1, "km", 1_000],
  [20_015, "km", 25_000],
  [8, "mile", 5],
  [8.1, "mile", 10],
  [804.6, "mile", 500],
  [804.8, "mile", 1_000],
  [20_015, "mile", 25_000],
] as const)("shows %d km in %ss as 'within %d'", (km, unit, band) => {
  expect(distanceBand(chordSquaredOf(km), unit, SMALLEST_BAND.match)).toBe(band);
});

test.each([
  [0, "km", 10],
  [9.999, "km", 10],
  [10.001, "km", 25],
  [0, "mile", 10],
] as const)("shows a candidate in %d km in %ss as 'within %d'", (km, unit, band) => {
  expect(distanceBand(chordSquaredOf(km), unit, SMALLEST_BAND.dealt)).toBe(band);
});

test("converts miles to the metre over the whole range of the slider", () => {
  for (let range = 0; range <= 500; range++) {
    expect(kmOfRange(range, "km")).toBe(range);
    expect(kmOfRange(range, "mile")).toBeCloseTo((range * 1_609_344) / 1_000_000, 9);
    for (const unit of ["km", "mile"] as const)
      expect(kmOfChordSquared(chordSquaredOf(kmOfRange(range, unit)))).toBeCloseTo(kmOfRange(range, unit), 6);
  }
});

test.each(["km", "mile"] as const)("ends each band of %ss to the metre", (unit) => {
  const metre = 0.001;
  for (const [i, end] of DISTANCE_BANDS.entries()) {
    const km = kmOfRange(end, unit);
    if (km > 20_000) continue;
    expect(distanceBand(chordSquaredOf(km - metre), unit, SMALLEST_BAND.match)).toBe(end);
    expect(distanceBand(chordSquaredOf(km + metre), unit, SMALLEST_BAND.match)).toBe(DISTANCE_BANDS[i + 1]);
  }
});

test("shows the upper end of the band, never less than the true distance", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20_015, noNaN: true }), (km) => {
      const chordSquared = chordSquaredOf(km);
      const band = distanceBand(chordSquared, "km", SMALLEST_BAND.match);
      const below = DISTANCE_BANDS[DISTANCE_BANDS.indexOf(band as 5) - 1] ?? 0;

      expect(kmOfChordSquared(chordSquared)).toBeCloseTo(km, 3);
      expect(band).toBeGreaterThanOrEqual(km - 0.001);
      expect(below).toBeLessThanOrEqual(km + 0.001);
    }),
  );
});
