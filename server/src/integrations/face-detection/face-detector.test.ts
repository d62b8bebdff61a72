import { expect, onTestFinished, test } from "vitest";
import { openLog } from "../../platform/log.ts";
import { eventually } from "../../testing/test-service.ts";
import { createFaceDetector } from "./face-detector.ts";

const picture = new Uint8Array(30 * 30 * 3);

/** A finder whose thread runs another program. */
function finderWith(code: string, options: { limitMs?: number; idleMs?: number } = {}) {
  const program = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const finder = createFaceDetector(openLog("silent"), { program, ...options });
  onTestFinished(finder.close);
  return finder;
}

const counting = `
  import { parentPort } from "node:worker_threads";
  const seen = [];
  parentPort.on("message", () => {
    seen.push({ by: "quick", quarters: 0, score: 1, x: 0, y: 0, width: 1, height: 1 });
    parentPort.postMessage({ kind: "found", sightings: seen });
  });`;

test("returns unavailable when the optional packages are not installed", async () => {
  const finder = createFaceDetector(openLog("silent"), { packagesFrom: "/nowhere/at-all.js" });
  onTestFinished(finder.close);

  expect(await finder.find(picture, 30)).toBe("unavailable");
  expect(await finder.find(picture, 30)).toBe("unavailable");
});

test("returns failed in time when a worker never responds, and again for the next picture", async () => {
  const finder = finderWith("setInterval(() => undefined, 1_000)", { limitMs: 300 });

  expect(await finder.find(picture, 30)).toBe("failed");
  expect(await finder.find(picture, 30)).toBe("failed");
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
  const finder = finderWith(code);

  expect(await finder.find(picture, 30)).toBe("failed");
  expect(await finder.find(picture, 30)).toBe("failed");
});

test("uses one worker for many pictures and ends it when idle", async () => {
  const finder = finderWith(counting, { idleMs: 1 });

  expect(await finder.find(picture, 30)).toHaveLength(1);
  expect(await finder.find(picture, 30)).toHaveLength(2);
  await eventually(async () => expect(await finder.find(picture, 30)).toHaveLength(1));
});

test("returns failed at once for pictures beyond the queue limit", async () => {
  const finder = finderWith(counting);

  const answers = await Promise.all(Array.from({ length: 30 }, () => finder.find(picture, 30)));

  expect(answers.filter((answer) => answer === "failed")).toHaveLength(18);
  expect(answers.slice(0, 12).map((answer) => answer.length)).toEqual(
    Array.from({ length: 12 }, (_, i) => i + 1),
  );
  expect(await finder.find(picture, 30)).toHaveLength(13);
});
