import { expect, test } from "vitest";
import { faceInPicture, squareAround } from "./find-face.ts";

test.each([
  ["a portrait", { width: 600, height: 1_200 }, { x: 150, y: 240, width: 240, height: 360 }],
  ["a landscape", { width: 1_200, height: 600 }, { x: 150, y: 240, width: 240, height: 360 }],
])("finds the place of a face in %s, whose copy fills a square from the top left corner", (_, sides, box) => {
  expect(faceInPicture({ x: 0.125, y: 0.2, width: 0.2, height: 0.3 }, sides)).toEqual(box);
});

test.each([
  [
    "in the middle",
    { x: 400, y: 300, width: 100, height: 100 },
    { x: 330, y: 239.6, width: 240, height: 240 },
  ],
  ["at the edge", { x: 0, y: 10, width: 100, height: 100 }, { x: 0, y: 0, width: 240, height: 240 }],
  [
    "as large as the picture",
    { x: 100, y: 0, width: 500, height: 600 },
    { x: 50, y: 0, width: 600, height: 600 },
  ],
])("begins the crop of a face %s with a square around it, inside of the picture", (_, face, square) => {
  const found = squareAround(face, { width: 800, height: 600 });
  for (const [name, value] of Object.entries(square))
    expect(found[name as keyof typeof square]).toBeCloseTo(value);
});
