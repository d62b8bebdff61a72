// Everything that start.js and test.js import is plain JavaScript for any Node from 20.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const NODE_MAJOR = 24;
const BIN = join(root, "node_modules/.bin");
/** NOTE: npm 10 deletes `.bin/node` with the optional packages of other platforms. */
const NODE_BIN = join(root, `node_modules/node-${process.platform}-${process.arch}/bin`);
/** Folders that commands write, beside those with a name of `GENERATED`. */
const WRITTEN = ["data", "mobile/android/app/src/main/assets", "mobile/ios/App/App/public"];
const GENERATED = /^(?:\.(?!ci$)\w.*|build|node_modules|playwright-report|test-results)$/;

/**
 * Lists the files below a folder in a fixed order, as paths from the root.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter(({ name }) => !GENERATED.test(name) && !WRITTEN.includes(join(folder, name).split(sep).join("/")))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path.split(sep).join("/")];
    });
}

/** @param {string} path from the root */
export function readText(path) {
  return readFileSync(join(root, path), "utf8");
}

/** @param {string[]} paths from the root */
export function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/** Returns the installed Node, or the calling one where the registry has no package for the platform. */
export function pinnedNode() {
  const installed = join(NODE_BIN, "node");
  const node = [installed, process.execPath].find((path) => existsSync(path) && majorOf(path) >= NODE_MAJOR);
  if (node) return node;
  throw new Error(
    `Alcove runs on Node ${NODE_MAJOR}, which npm cannot install on ${process.platform}-${process.arch}: ` +
      `install it (see .nvmrc) and try again. This is ${process.version}.`,
  );
}

/** @param {string} node */
function majorOf(node) {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)/.exec(stdout ?? "")?.[1]);
}

/** Puts the project's programs first in the path. Debian's nats-server is in /usr/sbin. */
export function projectEnvironment() {
  const path = [NODE_BIN, BIN, process.env.PATH ?? "", "/usr/sbin"];
  return { ...process.env, PATH: path.join(delimiter) };
}

/**
 * Turns an error into a message and an exit code.
 *
 * @param {() => Promise<number>} main returns the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * Ends a check: prints its problems, which are also its exit code.
 *
 * @param {string[]} problems
 */
export function report(problems) {
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
