import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readReport } from "./junit.js";
import { withMemoryFolder } from "./memory-folder.js";
import { pinnedNode, root } from "./project.js";
import { run } from "./run.js";

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Result */

const REPORT = join(root, ".cache/junit.xml");

/** @param {string[]} args */
export async function runVitest(args, env = {}) {
  const reporters = ["--reporter=default", "--reporter=junit", `--outputFile.junit=${REPORT}`];
  return runTests(["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], env);
}

/** @param {string[]} args */
export async function runPlaywright(args) {
  return runTests([
    "node_modules/@playwright/test/cli.js",
    "test",
    "--config=e2e/playwright.config.ts",
    "--reporter=list,junit",
    ...args,
  ]);
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Result>}
 */
async function runTests(command, env) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(REPORT, { force: true });
  const code = await withMemoryFolder(async (folder) =>
    run(pinnedNode(), command, {
      env: { ...env, PLAYWRIGHT_JUNIT_OUTPUT_FILE: REPORT, ...(folder !== null && { TMPDIR: folder }) },
      isGroup: true,
    }),
  );
  const result = readReport(REPORT);
  // A run can fail without a failed test, for example by an error after its tests.
  return code === 0 || result.failed > 0
    ? result
    : { ...result, failed: 1, failures: [`${command[0]} ended with exit code ${code}`] };
}

/**
 * Prints the failed tests and the line of totals, and returns the exit code. An error counts as a failed test.
 *
 * @param {string[]} names
 * @param {(name: string) => Promise<Result>} runPart
 * @param {() => Promise<void>} prepare
 */
export async function runParts(names, runPart, prepare) {
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (isStopped = true));

  const total = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  const times = [];
  try {
    await prepare();
    for (const name of names) {
      if (isStopped) break;
      console.log(`\n== ${name}`);
      const startedAt = performance.now();
      const { passed, failed, skipped, failures } = await runPart(name);
      times.push(`${name} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      total.passed += passed;
      total.failed += failed;
      total.skipped += skipped;
      total.failures.push(...failures);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
  }

  for (const failure of total.failures) console.log(`failed  ${failure}`);
  console.log(`\n${times.join(", ")}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed === 0 && !isStopped ? 0 : 1;
}
