import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, root } from "./lib/project.js";
import { findNoticeProblems } from "./notices.ts";

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const DRY_RUN = "npm ci --dry-run --offline --ignore-scripts --loglevel=error";

/** npm compares the lock file with the dependencies of every platform, without a registry. */
export function findPackageProblems(folder: string): string[] {
  const readJson = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const { workspaces } = readJson("package.json") as { workspaces: string[] };
  const ranges = ["", ...workspaces].flatMap((workspace) => {
    const file = join(workspace, "package.json");
    const { dependencies, devDependencies, optionalDependencies } = readJson(file);
    return Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${file}: ${name} has the range ${version} instead of one version`);
  });

  const locked = Object.entries<{ resolved?: string; link?: boolean }>(
    readJson("package-lock.json").packages,
  );
  const addresses = locked
    .filter(([, { resolved, link }]) => resolved && !link)
    .map(([path, { resolved }]) => `package-lock.json: ${path} names the address ${resolved}`);

  const { status, stderr, error } = spawnSync(DRY_RUN, { cwd: folder, encoding: "utf8", shell: true });
  const differences =
    status === 0 ? [] : (stderr.match(/(?:Missing|Invalid): .*/g) ?? [error?.message ?? stderr]);
  return [...ranges, ...addresses, ...differences.map((difference) => `package-lock.json: ${difference}`)];
}

if (import.meta.main) report([...findPackageProblems(root), ...findNoticeProblems(root)]);
