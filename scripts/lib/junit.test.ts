import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readReport } from "./junit.js";
import { root } from "./project.js";

const TESTS = {
  "mixed.test.js": `
    import { test, expect } from "vitest";
    test("passes", () => expect(1).toBe(1));
    let tries = 0;
    test("passes when repeated", { retry: 1 }, () => expect(++tries).toBe(2));
    test("fails for 'this' & <that>", { retry: 1 }, () => expect("bread").toBe("butter"));
    test.skip("is skipped", () => {});`,
  "broken.test.js": `throw new Error("cannot be loaded");`,
};

test("counts passed, failed and skipped tests of a vitest report, and files that cannot be loaded", async () => {
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache/junit-"));
  try {
    for (const [name, text] of Object.entries(TESTS)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, "vitest.config.js"), "export default {};");
    const report = join(folder, "report.xml");
    const args = ["run", `--root=${folder}`, "--reporter=junit", `--outputFile=${report}`];
    const { VITEST: _, ...env } = process.env;
    const run = promisify(execFile)(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), ...args],
      { env },
    );
    await expect(run).rejects.toThrow();

    expect(readReport(report)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 1,
      failures: expect.arrayContaining([
        expect.stringContaining("broken.test.js"),
        expect.stringContaining("mixed.test.js > fails for 'this' & <that>"),
      ]),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("counts nothing without a report", () => {
  expect(readReport(join(root, ".cache/none.xml"))).toEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
  });
});
