import fc from "fast-check";
import { expect, test } from "vitest";
import { PLACE_RADIUS_KM, SMALLEST_BAND } from "@alcove/contract/limits";
import { locationPrecisions } from "@alcove/contract/users";
import { createBlindIndex } from "../../platform/keys/encryption.ts";
import { destination } from "../../platform/lib/geodesy.ts";
import { EVERYONE, searcher } from "../../testing/searchers.ts";
import { areMutual } from "../search/mutual-filter.ts";
import { cellAt, POSITION, REACH_KM, snapCell, vectorOf } from "./cells.ts";
import { distanceBand, kmBetween } from "./distance.ts";
import { chordSquaredBetweenMembers, placeOf } from "./places.ts";

const DAY = "2026-06-15";
const KM_OF_DEGREE = 111.195;
const secretsOf = (pepper: string) => ({ encryption: { blindIndex: createBlindIndex(pepper) } });
const ctx = secretsOf("a pepper of this test");

/** Everywhere, poles and the date line included. */
const cell = fc
  .tuple(
    fc.oneof(fc.constantFrom(-180, 180, 0), fc.double({ min: -180, max: 180, noNaN: true })),
    fc.oneof(fc.constantFrom(-90, 90, 64.7, 2.301), fc.double({ min: -90, max: 90, noNaN: true })),
  )
  .map(([longitude, latitude]) => cellAt(longitude, latitude));
const memberId = fc.integer({ min: 1, max: 1_000_000_000 });
const kmFromCentre = (located: { memberId: number; cell: number }) =>
  kmBetween(placeOf(ctx, located).vector, vectorOf(located.cell));

test("is one point for each member and cell, within 3 km of the cell's centre", () => {
  fc.assert(
    fc.property(memberId, cell, fc.integer({ min: 1, max: 1_000 }), (member, at, more) => {
      const located = { memberId: member, cell: at };
      const place = placeOf(ctx, located);

      expect(kmFromCentre(located)).toBeLessThanOrEqual(PLACE_RADIUS_KM);
      expect(kmBetween(place.vector, vectorOf(place.cell))).toBeLessThan(REACH_KM[POSITION]);
      // Another process computes the same, another deployment does not.
      expect(placeOf(secretsOf("a pepper of this test"), located)).toEqual(place);
      expect(placeOf(secretsOf("another pepper"), located).vector).not.toEqual(place.vector);
      expect(placeOf(ctx, { ...located, memberId: member + more }).vector).not.toEqual(place.vector);
    }),
    { numRuns: 500 },
  );
});

test("is nowhere in the circle more likely than elsewhere", () => {
  const home = cellAt(139.7671, 35.6812);
  const members = Array.from({ length: 4_000 }, (_, i) => ({ memberId: i + 1, cell: home }));
  const share = (has: (located: (typeof members)[number]) => boolean) =>
    members.filter(has).length / members.length;
  const [x, , z] = vectorOf(home);

  // Circles of a quarter and of half the area.
  expect(share((one) => kmFromCentre(one) < PLACE_RADIUS_KM / 2)).toBeCloseTo(0.25, 1.5);
  expect(share((one) => kmFromCentre(one) < PLACE_RADIUS_KM / Math.SQRT2)).toBeCloseTo(0.5, 1.5);
  expect(share((one) => placeOf(ctx, one).vector[0] < x)).toBeCloseTo(0.5, 1.5);
  expect(share((one) => placeOf(ctx, one).vector[2] < z)).toBeCloseTo(0.5, 1.5);
});

test("differs from cell to cell without a pattern, so that a member's moves show no common displacement", () => {
  const cells = Array.from({ length: 2_000 }, (_, i) => {
    const { longitude, latitude } = destination(139.7671, 35.6812, Math.sqrt(i) / 40, i * 2.4);
    return cellAt(longitude, latitude);
  });
  const displacements = cells.map((at) => {
    const [there, centre] = [placeOf(ctx, { memberId: 1, cell: at }).vector, vectorOf(at)];
    return [there[0] - centre[0], there[2] - centre[2]] as const;
  });
  const earthKm = 6_371;
  for (const axis of [0, 1] as const) {
    const mean = displacements.reduce((sum, one) => sum + one[axis], 0) / displacements.length;
    expect(Math.abs(mean * earthKm)).toBeLessThan(0.15);
  }
});

test.each(locationPrecisions)(
  "surrounds the centre of the larger place for the precision %s",
  (precision) => {
    fc.assert(
      fc.property(memberId, cell, (member, at) => {
        const snapped = snapCell(at, precision);
        const located = { memberId: member, cell: snapped };

        expect(kmFromCentre(located)).toBeLessThanOrEqual(PLACE_RADIUS_KM);
        // Every cell of the larger place has this one.
        expect(placeOf(ctx, { memberId: member, cell: snapCell(at ^ 1, "region") })).toEqual(
          placeOf(ctx, { memberId: member, cell: snapCell(at, "region") }),
        );
      }),
    );
  },
);

test("lets two members whose cells are at most 4 km apart admit each other with any maximum", () => {
  const range = fc.record({
    minRange: fc.integer({ min: 0, max: 9 }),
    maxRange: fc.integer({ min: 9, max: 500 }),
    unit: fc.constantFrom("km" as const, "mile" as const),
  });
  fc.assert(
    fc.property(
      fc.tuple(memberId, memberId).filter(([a, b]) => a !== b),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -88, max: 88, noNaN: true }),
      fc.double({ min: 0, max: 4, noNaN: true }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      fc.tuple(range, range),
      ([a, b], longitude, latitude, km, bearing, ranges) => {
        const there = destination(longitude, latitude, km / KM_OF_DEGREE, bearing);
        const [from, to] = [cellAt(longitude, latitude), cellAt(there.longitude, there.latitude)];
        fc.pre(kmBetween(vectorOf(from), vectorOf(to)) <= 4);
        const [one, other] = [
          searcher({ memberId: a, cell: from, filter: { ...EVERYONE, ...ranges[0] } }),
          searcher({ memberId: b, cell: to, filter: { ...EVERYONE, ...ranges[1] } }),
        ];

        expect(areMutual(ctx, one, other, DAY)).toBe(true);
        const chordSquared = chordSquaredBetweenMembers(ctx, one, other)!;
        expect(distanceBand(chordSquared, "km", SMALLEST_BAND.dealt)).toBe(SMALLEST_BAND.dealt);
      },
    ),
    { numRuns: 1_000 },
  );
});
