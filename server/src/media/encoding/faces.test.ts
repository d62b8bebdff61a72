import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ICON_PIXELS } from "@alcove/contract/limits";
import { createFaceDetector } from "../../integrations/face-detection/face-detector.ts";
import { openLog } from "../../platform/log.ts";
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
  test("puts the faces behind glass and keeps the distant rest", { tags: "long" }, async () => {
    const people = fileOf(readFileSync(join(samples, "sample1.jpg")));

    const clear = await readIcon(people);
    const { pixels, faces, isFinal } = await processIcon(people, finder);

    expect([faces, isFinal]).toEqual([expect.toBeOneOf([2, 3, 4]), true]);
    expect([pixels.width, pixels.height]).toEqual([ICON_PIXELS, ICON_PIXELS]);
    const changed =
      clear.rgb.filter((value, i) => Math.abs(value - pixels.rgb[i]!) > 24).length / clear.rgb.length;
    expect(changed).toBeGreaterThan(0.05);
    expect(changed).toBeLessThan(0.75);

    // The detectors find no face any more.
    const again = await finder.detect(pixels.rgb, ICON_PIXELS);
    const stillSure = Array.isArray(again) ? again.filter(({ score }) => score >= 0.7) : ["not looked"];
    expect(stillSure).toEqual([]);
  });

  test("processes a whole picture that is too dark", { tags: "long" }, async () => {
    const dark = await sharp(join(samples, "sample4.jpg")).linear(0.12, 0).png().toBuffer();

    expect(await processIcon(fileOf(dark), finder)).toMatchObject({ faces: 0, isFinal: true });
  });
});

test("processes a whole picture without faces", async () => {
  expect(await processIcon(fileOf(await plainPicture(400).png().toBuffer()), finder)).toMatchObject({
    faces: 0,
  });
});

test("processes a whole picture, marked as not final, when face detection fails", async () => {
  const broken = createFaceDetector(openLog("silent"), {
    program: new URL("data:text/javascript,process.exit(1)"),
  });

  const { faces, isFinal } = await processIcon(fileOf(await plainPicture(400).png().toBuffer()), broken);

  expect([faces, isFinal]).toEqual([0, false]);
});
