import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./repository.js";

const WANTED = 24;

/** The Node that the project runs on: the installed one, else the one outside when it is new enough. */
export function pinnedNode() {
  const installed = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(installed) && majorVersion(installed) >= WANTED) return installed;
  if (majorVersion(process.execPath) >= WANTED) return process.execPath;
  throw new Error(
    `Alcove runs on Node ${WANTED}, and none could be installed for ${process.platform}-${process.arch}: ` +
      `install Node ${WANTED} or newer (this is ${process.version}) and try again.`,
  );
}

/** Our environment, with the project's own programs first. */
export function projectEnvironment() {
  const bin = join(root, "node_modules", ".bin");
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
}

/** @param {string} node */
function majorVersion(node) {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}
