import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { install } from "./prepare.js";
import { root } from "./repository.js";

/**
 * Runs a program of the repository on the pinned Node, once all that it needs is installed, and ends as it does.
 *
 * @param {string} program its path from the root
 * @param {string[]} args
 * @param {Record<string, string>} [variables]
 */
export async function runProgram(program, args, variables = {}) {
  try {
    await install();
    const { status } = spawnSync(pinnedNode(), [join(root, program), ...args], {
      cwd: root,
      env: { ...projectEnvironment(), ...variables },
      stdio: "inherit",
    });
    process.exitCode = status ?? 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
