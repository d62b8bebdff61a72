import { expect, test } from "vitest";
import type { FaceCandidate } from "../integrations/face-detection/face-detection.ts";
import { coverFaces, mix } from "./face-pixelation.ts";

const SIDE = 200;
const face = (wish: Partial<FaceCandidate> = {}): FaceCandidate => ({
  by: "thorough",
  quarters: 0,
  score: 0.95,
  x: 0.4,
  y: 0.4,
  width: 0.2,
  height: 0.2,
  ...wish,
});
/** How much of the place, in shares of the side, is softened. */
const coverAt = (sightings: FaceCandidate[], x: number, y: number) =>
  coverFaces(sightings, SIDE)?.shares[Math.round(y * SIDE) * SIDE + Math.round(x * SIDE)];

test("a face is covered wholly, with hair and chin, and the rest of the picture not at all", () => {
  for (const [x, y] of [
    [0.5, 0.5],
    [0.41, 0.41],
    [0.59, 0.59],
    [0.5, 0.32],
    [0.5, 0.68],
  ] as const)
    expect(coverAt([face()], x, y)).toBe(1);
  expect(coverAt([face()], 0.5, 0.72)).toBeGreaterThan(0);
  expect(coverAt([face()], 0.5, 0.72)).toBeLessThan(1);
  for (const [x, y] of [
    [0.1, 0.1],
    [0.5, 0.2],
    [0.9, 0.5],
  ] as const)
    expect(coverAt([face()], x, y)).toBe(0);
});

test("a face at the edge, or partly beyond it, is covered as far as the picture goes", () => {
  expect(coverAt([face({ x: -0.1, y: 0.85 })], 0, 0.99)).toBe(1);
  expect(coverAt([face({ x: 0.9, y: -0.05 })], 0.99, 0)).toBe(1);
});

test("beside one that is sure, everything that might be a face is covered too", () => {
  const doubtful = face({ score: 0.3, x: 0.05, y: 0.05, width: 0.1, height: 0.1 });
  const lying = face({ by: "quick", quarters: 1, score: 0.35, x: 0.8, y: 0.8, width: 0.1, height: 0.1 });

  const cover = coverFaces([face(), doubtful, lying], SIDE)!;

  expect(cover.faces).toBe(1);
  expect([coverAt([face(), doubtful], 0.1, 0.1), coverAt([face(), lying], 0.85, 0.85)]).toEqual([1, 1]);
});

test("one face that is seen five times is one face", () => {
  const again = [
    face({ quarters: 1, score: 0.8, x: 0.42 }),
    face({ quarters: 2, score: 0.6, y: 0.43 }),
    face({ by: "quick", width: 0.28, height: 0.28, x: 0.38 }),
  ];

  expect(coverFaces([face(), ...again], SIDE)!.faces).toBe(1);
  expect(coverFaces([face(), ...again, face({ x: 0.75 })], SIDE)!.faces).toBe(2);
});

test.each<[string, FaceCandidate[]]>([
  ["nothing is seen", []],
  ["no face is sure", [face({ score: 0.69 }), face({ score: 0.5, x: 0.1 })]],
  ["only the quick detector is sure", [face({ by: "quick", score: 0.99 })]],
  [
    "a face is so small that others may have been overlooked",
    [face(), face({ x: 0.1, width: 0.03, height: 0.04 })],
  ],
  ["faces are nearly everywhere", [face({ x: 0.1, y: 0.1, width: 0.8, height: 0.8 })]],
])("the whole picture is softened where %s", (_, sightings) => {
  expect(coverFaces(sightings, SIDE)).toBeNull();
});

test("where a face is covered not a trace of the clear picture is in what is shown, and elsewhere all of it", () => {
  const cover = coverFaces([face()], SIDE)!;
  const [one, other] = [1, 2].map((seed) =>
    Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => (i * i * seed) % 251),
  );
  const soft = new Uint8Array(SIDE * SIDE * 3).fill(90);
  const [shown, shownOther] = [mix(one!, soft, cover), mix(other!, soft, cover)];

  const covered = [...cover.shares.keys()].filter((pixel) => cover.shares[pixel] === 1);
  expect(covered.length).toBeGreaterThan(SIDE * SIDE * 0.1);
  for (const pixel of covered) {
    expect(shown.subarray(pixel * 3, pixel * 3 + 3)).toEqual(shownOther.subarray(pixel * 3, pixel * 3 + 3));
  }
  expect(shown.subarray(0, 300)).toEqual(one!.subarray(0, 300));
});
