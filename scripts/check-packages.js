import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/**
 * Finds dependencies without an exact version, and disagreement between package.json files and the lock file.
 *
 * `npm ci --dry-run` compares the lock file with the dependencies of every platform, also of other platforms than this
 * one, and needs no registry.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function findPackageProblems(folder) {
  const { workspaces = [] } = readJson(join(folder, "package.json"));
  const problems = ["", ...workspaces].flatMap((/** @type {string} */ workspace) => {
    const file = join(workspace, "package.json");
    const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, file));
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${file}: ${name} has the range ${version} instead of one version`);
  });

  for (const [path, { resolved, link }] of Object.entries(
    readJson(join(folder, "package-lock.json")).packages,
  )) {
    if (resolved && !link) problems.push(`package-lock.json: ${path} names the address ${resolved}`);
  }

  const args = ["ci", "--dry-run", "--offline", "--ignore-scripts", "--loglevel=error"];
  const npm = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  if (npm.status === 0) return problems;
  const differences = npm.stderr.match(/(?:Missing|Invalid): .*/g) ?? [npm.stderr || String(npm.error)];
  return [...problems, ...differences.map((difference) => `package-lock.json: ${difference}`)];
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
