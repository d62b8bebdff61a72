import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "./repository.js";
import { readUnitReport } from "./test-reports.js";

const TESTS = {
  "sound.test.js": `
    import { test, expect } from "vitest";
    test("is sound", () => expect(1).toBe(1));
    let tries = 0;
    test("is sound when asked twice", { retry: 1 }, () => expect(++tries).toBe(2));
    test("is wrong", { retry: 1 }, () => expect("bread").toBe("butter"));`,
  "broken.test.js": `throw new Error("cannot be loaded");`,
};

test("the end of a run names what failed, what could not be loaded and what passed at its second try", async () => {
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache/test-reports-"));
  try {
    for (const [name, text] of Object.entries(TESTS)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, "vitest.config.js"), "export default {};");
    const report = join(folder, "report.json");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const wishes = ["run", `--root=${folder}`, "--reporter=json", `--outputFile=${report}`];
    const { VITEST: _, ...env } = process.env;
    const run = promisify(execFile)(process.execPath, [vitest, ...wishes], { cwd: folder, env });
    await expect(run).rejects.toThrow();

    const { passed, failed, remarks } = readUnitReport(JSON.parse(await readFile(report, "utf8")), folder);
    expect({ passed, failed }).toEqual({ passed: 2, failed: 2 });
    const all = remarks.map((remark) => remark.split("\n")[0]);
    expect(new Set(all)).toEqual(
      new Set([
        "failed  broken.test.js",
        "failed  sound.test.js › is wrong",
        "second try  sound.test.js › is sound when asked twice",
      ]),
    );
    expect(remarks.join("\n")).toContain("cannot be loaded");
    expect(remarks.join("\n")).toContain("expected 'bread' to be 'butter'");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
