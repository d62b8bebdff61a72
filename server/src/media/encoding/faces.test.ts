import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ICON_PIXELS } from "@alcove/contract/limits";
import { createFaceDetector } from "../../integrations/face-detection/face-detector.ts";
import { openLog } from "../../platform/log.ts";
import { cropsOf, measureLinking } from "../../testing/faces/linking.ts";
import { fileOf, plainPicture } from "../../testing/sample-pictures.ts";
import { processIcon, readIcon } from "./re-encode.ts";

// A busy machine needs many seconds per picture.
vi.setConfig({ testTimeout: 120_000 });

/** Sample pictures of the detection package, if it is installed. */
const samples = (() => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")), "demo");
  } catch {
    return "";
  }
})();
const finder = createFaceDetector(openLog("silent"), { timeoutMs: 100_000 });
afterAll(finder.close);

describe.skipIf(!existsSync(join(samples, "sample1.jpg")))("pictures of people", () => {
  test(
    "puts the whole picture behind glass, so that no face is seen any more",
    { tags: "long" },
    async () => {
      const people = fileOf(readFileSync(join(samples, "sample1.jpg")));

      const clear = await readIcon(people);
      const { pixels, faces, isFinal } = await processIcon(people, finder);

      expect([faces, isFinal]).toEqual([expect.toBeOneOf([2, 3, 4]), true]);
      expect([pixels.width, pixels.height]).toEqual([ICON_PIXELS, ICON_PIXELS]);
      const changed =
        clear.rgb.filter((value, i) => Math.abs(value - pixels.rgb[i]!) > 24).length / clear.rgb.length;
      expect(changed).toBeGreaterThan(0.5);
      const again = await finder.detect(pixels.rgb, ICON_PIXELS);
      const stillSure = Array.isArray(again) ? again.filter(({ score }) => score >= 0.7) : ["not looked"];
      expect(stillSure).toEqual([]);
    },
  );

  // By chance one of 24 is found. A run of 3 processings differs from the mean of many by 2.
  test(
    "lets no more than a third of the originals be found by an attacker who knows the method",
    {
      tags: "long",
      timeout: 600_000,
    },
    async () => {
      const crops = await cropsOf(finder);

      const found = await measureLinking(crops, 3);

      expect(crops).toHaveLength(24);
      for (const { attack, originals } of found) expect(originals, attack).toBeLessThanOrEqual(8);
    },
  );

  test("finds no face in a picture that is too dark", { tags: "long" }, async () => {
    const dark = await sharp(join(samples, "sample4.jpg")).linear(0.12, 0).png().toBuffer();

    expect(await processIcon(fileOf(dark), finder)).toMatchObject({ faces: 0, isFinal: true });
  });
});

test("finds no face in a plain picture", async () => {
  expect(await processIcon(fileOf(await plainPicture(400).png().toBuffer()), finder)).toMatchObject({
    faces: 0,
  });
});

test("processes a picture as background, marked as not final, when face detection fails", async () => {
  const broken = createFaceDetector(openLog("silent"), {
    program: new URL("data:text/javascript,process.exit(1)"),
  });

  const { faces, isFinal } = await processIcon(fileOf(await plainPicture(400).png().toBuffer()), broken);

  expect([faces, isFinal]).toEqual([0, false]);
});
