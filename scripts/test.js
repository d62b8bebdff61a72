// npm test [-- unit | e2e | check …]: installs, builds, checks and tests everything, and counts it
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { buildWebApp, install } from "./prepare.js";
import { cacheFolder, root } from "./repository.js";
import { readJourneyReport, readUnitReport } from "./test-reports.js";

/** @import { Outcome } from "./test-reports.js" */

const LONGEST_MINUTES = 30;
const PARTS = { check: countChecks, unit: countUnitTests, e2e: countJourneys };

const chosen = process.argv.slice(2);
/** @type {Outcome} */
const total = { passed: 0, failed: 0, remarks: [] };
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
    const { passed, failed, remarks } = await count();
    total.passed += passed;
    total.failed += failed;
    total.remarks.push(...remarks);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
}
// Once more at the end: of a long run that is what is looked at, and all that some keep.
if (total.remarks.length > 0) console.log(`\n${total.remarks.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** @returns {Promise<Outcome>} */
async function countChecks() {
  const report = reportFile("check");
  const code = await run("scripts/check.js", [`--report=${report}`]);
  return atLeastOneFailed(readReport(report), code);
}

/** @returns {Promise<Outcome>} */
async function countUnitTests() {
  const report = reportFile("unit");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run("node_modules/vitest/vitest.mjs", ["run", ...reporters]);
  const result = readReport(report);
  return atLeastOneFailed(result && readUnitReport(result, root), code);
}

/** @returns {Promise<Outcome>} */
async function countJourneys() {
  const report = reportFile("e2e");
  const args = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"];
  const code = await run("node_modules/@playwright/test/cli.js", args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  const result = readReport(report);
  return atLeastOneFailed(result && readJourneyReport(result), code);
}

/**
 * A run that ended badly has failed, even when it could not say in what.
 *
 * @param {Outcome | undefined} outcome
 * @param {number} code
 * @returns {Outcome}
 */
function atLeastOneFailed(outcome = { passed: 0, failed: 0, remarks: [] }, code) {
  if (code === 0 || outcome.failed > 0) return outcome;
  return { ...outcome, failed: 1, remarks: [...outcome.remarks, `failed  a part ended with ${code}`] };
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
