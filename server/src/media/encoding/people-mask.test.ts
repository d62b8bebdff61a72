import { expect, test } from "vitest";
import type { FaceCandidate } from "../../integrations/face-detection/face-detection.ts";
import { maskFaces } from "./face-mask.ts";

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
  maskFaces(sightings, SIDE)?.alpha[Math.round(y * SIDE) * SIDE + Math.round(x * SIDE)];

test("masks a face with hair and chin and nothing else", () => {
  for (const [x, y] of [
    [0.5, 0.5],
    [0.41, 0.41],
    [0.59, 0.59],
    [0.5, 0.32],
    [0.5, 0.68],
  ] as const)
    expect(maskAt([face()], x, y)).toBe(1);
  expect(maskAt([face()], 0.5, 0.72)).toBeGreaterThan(0);
  expect(maskAt([face()], 0.5, 0.72)).toBeLessThan(1);
  for (const [x, y] of [
    [0.1, 0.1],
    [0.5, 0.2],
    [0.9, 0.5],
  ] as const)
    expect(maskAt([face()], x, y)).toBe(0);
});

test("masks a face at the edge or partly beyond it", () => {
  expect(maskAt([face({ x: -0.1, y: 0.85 })], 0, 0.99)).toBe(1);
  expect(maskAt([face({ x: 0.9, y: -0.05 })], 0.99, 0)).toBe(1);
});

test("masks every possible face beside a certain one", () => {
  const doubtful = face({ score: 0.3, x: 0.05, y: 0.05, width: 0.1, height: 0.1 });
  const rotated = face({ by: "quick", quarters: 1, score: 0.35, x: 0.8, y: 0.8, width: 0.1, height: 0.1 });

  const mask = maskFaces([face(), doubtful, rotated], SIDE)!;

  expect(mask.faces).toBe(1);
  expect([maskAt([face(), doubtful], 0.1, 0.1), maskAt([face(), rotated], 0.85, 0.85)]).toEqual([1, 1]);
});

test("counts overlapping detections of a face once", () => {
  const again = [
    face({ quarters: 1, score: 0.8, x: 0.42 }),
    face({ quarters: 2, score: 0.6, y: 0.43 }),
    face({ by: "quick", width: 0.28, height: 0.28, x: 0.38 }),
  ];

  expect(maskFaces([face(), ...again], SIDE)!.faces).toBe(1);
  expect(maskFaces([face(), ...again, face({ x: 0.75 })], SIDE)!.faces).toBe(2);
});

test.each<[string, FaceCandidate[]]>([
  ["nothing is detected", []],
  ["no face is certain", [face({ score: 0.69 }), face({ score: 0.5, x: 0.1 })]],
  ["only the quick detector is certain", [face({ by: "quick", score: 0.99 })]],
  ["a face is so small that others may be undetected", [face(), face({ x: 0.1, width: 0.03, height: 0.04 })]],
])("returns no mask when %s", (_, sightings) => {
  expect(maskFaces(sightings, SIDE)).toBeNull();
});

test("returns the longest side of the largest possible face, which sets the loss of detail", () => {
  const large = face({ score: 0.3, x: 0.1, y: 0.1, width: 0.5, height: 0.7 });

  expect(maskFaces([face(), large], SIDE)!.longest).toBe(0.7);
});
