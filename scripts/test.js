// npm test [-- unit | e2e | check …]: installs, builds, checks and tests everything, and counts it
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { buildWebApp, install } from "./prepare.js";
import { cacheFolder, root } from "./repository.js";

/** @typedef {{ passed: number, failed: number }} Count */

const LONGEST_MINUTES = 30;
const PARTS = { check: countChecks, unit: countUnitTests, e2e: countJourneys };

const chosen = process.argv.slice(2);
const total = { passed: 0, failed: 0 };
let isStopped = false;
try {
  const unknown = chosen.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);

  await install();
  await buildWebApp();
  for (const [name, count] of Object.entries(PARTS)) {
    if (isStopped || (chosen.length > 0 && !chosen.includes(name))) continue;
    console.log(`\n== ${name}`);
    const { passed, failed } = await count();
    total.passed += passed;
    total.failed += failed;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** @returns {Promise<Count>} */
async function countChecks() {
  const report = reportFile("check");
  const code = await run("scripts/check.js", [`--report=${report}`]);
  return atLeastOneFailed(readReport(report), code);
}

/** @returns {Promise<Count>} */
async function countUnitTests() {
  const report = reportFile("unit");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run("node_modules/vitest/vitest.mjs", ["run", ...reporters]);

  const result = readReport(report);
  if (!result) return atLeastOneFailed(undefined, code);
  // a file that cannot be loaded fails without a single test of its own
  const broken = result.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === "failed" && file.assertionResults.length === 0,
  );
  return atLeastOneFailed(
    { passed: result.numPassedTests, failed: result.numFailedTests + broken.length },
    code,
  );
}

/** @returns {Promise<Count>} */
async function countJourneys() {
  if (!existsSync(join(root, "e2e/playwright.config.ts"))) return { passed: 0, failed: 0 };
  const report = reportFile("e2e");
  const args = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"];
  const code = await run("node_modules/@playwright/test/cli.js", args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });

  const result = readReport(report);
  if (!result) return atLeastOneFailed(undefined, code);
  const { expected, flaky, unexpected } = result.stats;
  if (flaky > 0) console.log(`${flaky} journeys passed only at their second try`);
  return atLeastOneFailed({ passed: expected + flaky, failed: unexpected }, code);
}

/**
 * A run that ended badly has failed, even when it could not say in what.
 *
 * @param {Count | undefined} count
 * @param {number} code
 * @returns {Count}
 */
function atLeastOneFailed(count = { passed: 0, failed: 0 }, code) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

/** @param {string} part */
function reportFile(part) {
  return join(cacheFolder(), `${part}-${process.pid}.json`);
}

/** @param {string} report */
function readReport(report) {
  if (!existsSync(report)) return undefined;
  const result = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  return result;
}

/**
 * Runs one part in a process group of its own, so that an end before its time takes everything with it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [variables]
 * @returns {Promise<number>}
 */
async function run(program, args, variables = {}) {
  const child = spawn(pinnedNode(), [join(root, program), ...args], {
    cwd: root,
    env: { ...projectEnvironment(), ...variables },
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    isStopped = true;
    stopGroup(child.pid, signal);
  };
  const timer = setTimeout(() => {
    console.error(`${program} did not end within ${LONGEST_MINUTES} minutes`);
    stopGroup(child.pid, "SIGKILL");
  }, LONGEST_MINUTES * 60_000);
  process.on("SIGINT", end).on("SIGTERM", end);
  try {
    const [code] = await once(child, "exit");
    return code ?? 1;
  } finally {
    clearTimeout(timer);
    process.off("SIGINT", end).off("SIGTERM", end);
  }
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function stopGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // it has just ended by itself
  }
}
