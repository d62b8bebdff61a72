import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findPackageProblems } from "../check-packages.js";
import { findProseProblems, measureProse } from "../check-prose.js";
import { checkTranslations } from "../check-translations.js";
import { pinnedNode, projectEnvironment } from "../pinned-node.js";
import { listFiles, root } from "../repository.js";
import { remark } from "../test-reports.js";
import { findBrokenImports } from "./imports.js";
import { findForeignWrites } from "./tables.js";
import { findForbiddenWords } from "./words.js";

/** @import { Outcome } from "../test-reports.js" */

const SOURCES = ["contract", "i18n", "server", "web", "test-services", "e2e", "bench", "mobile", "scripts"];

/**
 * Each check by name; it answers what is wrong, nothing when all is well.
 *
 * @type {Record<string, () => string[] | Promise<string[]>>}
 */
const CHECKS = {
  types: checkTypes,
  lint: () => runTool("oxlint/bin/oxlint", ["--type-aware", "--deny-warnings"]),
  format: () => runTool("oxfmt/bin/oxfmt", ["--check", "."]),
  unused: () => runTool("knip/bin/knip.js", ["--no-progress"]),
  packages: () => findPackageProblems(root),
  imports: () => findBrokenImports(readSources()),
  translations: checkTranslations,
  tables: () => findForeignWrites(readSources()),
  words: () => findForbiddenWords(readTracked(), process.env.npm_config_registry),
};

/**
 * Runs the named checks, or all; says how each went, counts them, and names those that failed.
 *
 * @param {string[]} names
 * @returns {Promise<Outcome>}
 */
export async function runChecks(names) {
  const unknown = names.filter((name) => !(name in CHECKS));
  if (unknown.length > 0)
    throw new Error(`no such check: ${unknown.join(", ")}; there are ${Object.keys(CHECKS).join(", ")}`);

  /** @type {Outcome} */
  const outcome = { passed: 0, failed: 0, remarks: [] };
  for (const [name, check] of Object.entries(CHECKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const startedAt = performance.now();
    const problems = await problemsOf(check);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${problems.length === 0 ? "ok    " : "failed"}  ${name} (${seconds} s)`);
    for (const problem of problems) console.log(problem.replace(/^/gm, "        "));
    outcome[problems.length === 0 ? "passed" : "failed"] += 1;
    if (problems.length > 0) outcome.remarks.push(remark(true, `the check of ${name}`, problems[0]));
  }
  return outcome;
}

/**
 * A check that breaks off has found something too, and does not keep the others from being heard.
 *
 * @param {() => string[] | Promise<string[]>} check
 */
async function problemsOf(check) {
  try {
    return await check();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function checkTypes() {
  if (existsSync(join(root, "web/app/routes.ts"))) {
    const problems = runTool("@react-router/dev/bin.cjs", ["typegen"], "web");
    if (problems.length > 0) return problems;
  }
  const projects = [".", ...SOURCES.filter((folder) => hasTypeScript(folder))];
  return projects.flatMap((project) =>
    runTool("typescript/bin/tsc", ["--project", project, "--pretty", "false"]),
  );
}

/** @param {string} folder */
function hasTypeScript(folder) {
  return (
    existsSync(join(root, folder, "tsconfig.json")) && listFiles(folder).some((path) => /\.tsx?$/.test(path))
  );
}

/**
 * @param {string} program below node_modules
 * @param {string[]} args
 * @param {string} [folder]
 */
function runTool(program, args, folder = "") {
  const { status, stdout, stderr, error } = spawnSync(
    pinnedNode(),
    [join(root, "node_modules", program), ...args],
    {
      cwd: join(root, folder),
      env: { ...projectEnvironment(), NO_COLOR: "1", FORCE_COLOR: undefined },
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (error) return [error.message];
  return status === 0 ? [] : [`${stdout}${stderr}`.trim() || `${program} failed with ${status}`];
}

function readSources() {
  const paths = SOURCES.flatMap((folder) => listFiles(folder)).filter((path) =>
    /\.(?:ts|tsx|js)$/.test(path),
  );
  return readAll(paths);
}

function readTracked() {
  return readAll(trackedFiles().filter((path) => !/\.(?:png|jpg|webp|woff2|ico|gif|pdf)$/.test(path)));
}

/** What git would hand on; without git, what lies here. */
function trackedFiles() {
  try {
    const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return list.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  } catch {
    return listFiles("");
  }
}

/** @param {string[]} paths */
function readAll(paths) {
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/**
 * Prints the prose that has to change below the given paths; without paths, everywhere.
 *
 * @param {string[]} args paths and `--stats`
 * @returns {number} of problems
 */
export function printProse(args) {
  const paths = args.filter((arg) => arg !== "--stats").map((arg) => relative(root, resolve(arg)));
  const isChosen = (/** @type {string} */ path) =>
    paths.length === 0 ||
    paths.some((chosen) => chosen === "" || path === chosen || path.startsWith(`${chosen}/`));
  const prose = trackedFiles().filter((path) => /\.(?:tsx?|js|css|md)$/.test(path) && isChosen(path));
  const files = readAll(prose);
  if (args.includes("--stats")) {
    console.log(measureProse(files));
    return 0;
  }
  const exists = (/** @type {string} */ document) => existsSync(join(root, document));
  const problems = [...files].flatMap(([path, text]) => findProseProblems(path, text, exists));
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length} problems in ${files.size} files`);
  return problems.length;
}
