import { expect, onTestFinished, test } from "vitest";
import { openLog } from "../../platform/log.ts";
import { eventually } from "../../testing/test-service.ts";
import { createFaceDetector } from "./face-detector.ts";

const picture = new Uint8Array(30 * 30 * 3);

function detectorWith(code: string, options: { timeoutMs?: number; idleMs?: number } = {}) {
  const program = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const detector = createFaceDetector(openLog("silent"), { program, ...options });
  onTestFinished(detector.close);
  return detector;
}

const counting = `
  import { parentPort } from "node:worker_threads";
  const seen = [];
  parentPort.on("message", () => {
    seen.push({ by: "quick", quarters: 0, score: 1, x: 0, y: 0, width: 1, height: 1 });
    parentPort.postMessage({ kind: "found", candidates: seen });
  });`;

test("returns unavailable when the optional packages are not installed", async () => {
  const detector = createFaceDetector(openLog("silent"), { packagesFrom: "/nowhere/at-all.js" });
  onTestFinished(detector.close);

  expect(await detector.detect(picture, 30)).toBe("unavailable");
  expect(await detector.detect(picture, 30)).toBe("unavailable");
});

test("returns failed in time when a worker never responds, and again for the next picture", async () => {
  const detector = detectorWith("setInterval(() => undefined, 1_000)", { timeoutMs: 300 });

  expect(await detector.detect(picture, 30)).toBe("failed");
  expect(await detector.detect(picture, 30)).toBe("failed");
});

test.each([
  [
    "ends",
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(0));`,
  ],
  [
    "throws",
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { throw new Error("broken") });`,
  ],
  ["cannot be read", "this is no program"],
])("returns failed when a worker %s", async (_, code) => {
  const detector = detectorWith(code);

  expect(await detector.detect(picture, 30)).toBe("failed");
  expect(await detector.detect(picture, 30)).toBe("failed");
});

test("uses one worker for many pictures and ends it when idle", async () => {
  const detector = detectorWith(counting, { idleMs: 1 });

  expect(await detector.detect(picture, 30)).toHaveLength(1);
  expect(await detector.detect(picture, 30)).toHaveLength(2);
  await eventually(async () => expect(await detector.detect(picture, 30)).toHaveLength(1));
});

test("returns failed at once for pictures beyond the queue limit", async () => {
  const detector = detectorWith(counting);

  const results = await Promise.all(Array.from({ length: 30 }, () => detector.detect(picture, 30)));

  expect(results.filter((result) => result === "failed")).toHaveLength(18);
  expect(results.slice(0, 12).map((result) => result.length)).toEqual(
    Array.from({ length: 12 }, (_, i) => i + 1),
  );
  expect(await detector.detect(picture, 30)).toHaveLength(13);
});
