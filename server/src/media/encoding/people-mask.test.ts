import { expect, test } from "vitest";
import type { FaceCandidate } from "../../integrations/face-detection/face-detection.ts";
import { maskPeople } from "./people-mask.ts";

const SIDE = 200;
const face = (values: Partial<FaceCandidate> = {}): FaceCandidate => ({
  by: "thorough",
  quarters: 0,
  score: 0.95,
  x: 0.4,
  y: 0.4,
  width: 0.2,
  height: 0.2,
  ...values,
});
/** `x` and `y` are shares of the side. */
const maskAt = (sightings: FaceCandidate[], x: number, y: number) =>
  maskPeople(sightings, SIDE)?.alpha[Math.round(y * SIDE) * SIDE + Math.round(x * SIDE)];

test("masks a head and the body below it, and fades out into the background", () => {
  for (const [x, y] of [
    [0.5, 0.5],
    [0.42, 0.5],
    [0.5, 0.39],
    [0.5, 0.8],
    [0.5, 0.99],
    [0.3, 0.95],
  ] as const)
    expect(maskAt([face()], x, y), `${x}, ${y}`).toBe(1);
  for (const [x, y] of [
    [0.66, 0.5],
    [0.5, 0.3],
    [0.12, 0.95],
  ] as const) {
    expect(maskAt([face()], x, y), `${x}, ${y}`).toBeGreaterThan(0);
    expect(maskAt([face()], x, y), `${x}, ${y}`).toBeLessThan(1);
  }
  for (const [x, y] of [
    [0.1, 0.1],
    [0.5, 0.2],
    [0.9, 0.5],
  ] as const)
    expect(maskAt([face()], x, y), `${x}, ${y}`).toBe(0);
});

test("masks a face at the edge or partly beyond it", () => {
  expect(maskAt([face({ x: -0.1, y: 0.85 })], 0, 0.99)).toBe(1);
  expect(maskAt([face({ x: 0.9, y: -0.05 })], 0.99, 0)).toBe(1);
});

test("masks every likely face beside a certain one", () => {
  const likely = face({ by: "quick", score: 0.5, x: 0.05, y: 0.05, width: 0.1, height: 0.1 });
  const doubtful = face({ ...likely, score: 0.4 });

  expect([maskAt([face(), likely], 0.1, 0.1), maskAt([face(), doubtful], 0.1, 0.1)]).toEqual([1, 0]);
});

test("counts overlapping detections of a face once", () => {
  const again = [
    face({ quarters: 1, score: 0.8, x: 0.42 }),
    face({ quarters: 2, score: 0.6, y: 0.43 }),
    face({ by: "quick", width: 0.28, height: 0.28, x: 0.38 }),
  ];

  expect(maskPeople([face(), ...again], SIDE)!.faces).toBe(1);
  expect(maskPeople([face(), ...again, face({ x: 0.75 })], SIDE)!.faces).toBe(2);
});

test.each<[string, FaceCandidate[]]>([
  ["nothing is detected", []],
  ["no face is certain", [face({ score: 0.69 }), face({ score: 0.5, x: 0.1 })]],
  ["only the quick detector is certain", [face({ by: "quick", score: 0.99 })]],
])("returns no mask when %s", (_, sightings) => {
  expect(maskPeople(sightings, SIDE)).toBeNull();
});

test("returns the longest side of the largest face, which sets the width of the flutes", () => {
  const large = face({ score: 0.6, x: 0, y: 0, width: 0.5, height: 0.7 });

  expect(maskPeople([face({ x: 0.85, y: 0.85, width: 0.1, height: 0.1 }), large], SIDE)!.longest).toBe(0.7);
});

test("names the longest certain face, where a crop begins", () => {
  const near = face({ x: 0.1, width: 0.3, height: 0.4 });
  const uncertain = face({ by: "quick", x: 0.5, width: 0.5, height: 0.5 });

  expect(maskPeople([face(), near, uncertain], SIDE)?.face).toEqual({
    x: 0.1,
    y: 0.4,
    width: 0.3,
    height: 0.4,
  });
});
