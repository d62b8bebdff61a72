// npm test [-- check | unit | e2e …] [files …]: installs, builds, checks and tests everything
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./check.js";
import { buildNativeApp, buildWebApp, install } from "./lib/install.js";
import { withMemoryFolder } from "./lib/memory-folder.js";
import { pinnedNode, root, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";
import { readReport } from "./lib/junit.js";
import { installSystemPackages } from "./lib/system-packages.js";

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Result */

/** More failed files are no chance, and repeating them takes long. */
const REPEATED_FILES = 5;

const REPORT = join(root, ".cache/junit.xml");
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=junit"];
const PLAYWRIGHT = ["node_modules/@playwright/test/cli.js", "test", "--config=e2e/playwright.config.ts"];

/** @type {Record<string, (files: string[]) => Promise<Result>>} */
const PARTS = {
  check: async () => runChecks([]),
  unit: (files) => runUnitTests(files),
  e2e: (files) => runTests([...PLAYWRIGHT, "--reporter=list,junit", ...files]),
};

await runMain(async () => {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => !(arg in PARTS));
  const parts = Object.keys(PARTS).filter((part) => args.includes(part) || args.length === files.length);
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (isStopped = true));

  /** @type {Result[]} */
  const results = [];
  try {
    await installSystemPackages(parts);
    await install();
    await buildWebApp();
    await buildNativeApp();
    for (const part of parts) {
      if (isStopped) break;
      console.log(`\n== ${part}`);
      results.push(await /** @type {NonNullable<typeof PARTS[string]>} */ (PARTS[part])(files));
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    results.push({ passed: 0, failed: 1, skipped: 0, failures: [] });
  }

  const sum = (/** @type {"passed" | "failed" | "skipped"} */ key) =>
    results.reduce((total, result) => total + result[key], 0);
  for (const failure of results.flatMap(({ failures }) => failures)) console.log(`failed  ${failure}`);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
  return sum("failed") === 0 && !isStopped ? 0 : 1;
});

/**
 * Runs unit tests. In CI it runs the few files with failed tests once more, because a shared machine may be slow once. It repeats
 * whole files, because the tests of a file share members.
 *
 * @param {string[]} files
 * @returns {Promise<Result>}
 */
async function runUnitTests(files) {
  const vitest = [...VITEST, `--outputFile.junit=${REPORT}`];
  const first = await runTests([...vitest, ...files]);
  const failed = [
    ...new Set(first.failures.map((failure) => /** @type {string} */ (failure.split(" > ")[0]))),
  ];
  const canRepeat =
    failed.length > 0 &&
    failed.length <= REPEATED_FILES &&
    failed.every((file) => existsSync(join(root, file)));
  if (!process.env["CI"] || !canRepeat) return first;
  for (const failure of first.failures) console.log(`repeats ${failure}`);
  const second = await runTests([...vitest, ...failed]);
  const total = first.passed + first.failed;
  return { ...second, passed: total - second.failed, skipped: first.skipped };
}

/** @param {string[]} command */
async function runTests(command) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(REPORT, { force: true });
  const code = await withMemoryFolder(async (folder) =>
    run(pinnedNode(), command, {
      env: { PLAYWRIGHT_JUNIT_OUTPUT_FILE: REPORT, ...(folder !== null && { TMPDIR: folder }) },
      isGroup: true,
    }),
  );
  const result = readReport(REPORT);
  // A run can fail without a failed test, for example by an error after its tests.
  return code === 0 || result.failed > 0
    ? result
    : { ...result, failed: 1, failures: [`${command[0]} ended with exit code ${code}`] };
}
