// Where things are. Everything in scripts/ is plain JavaScript without dependencies, for any Node from 20.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Made by tools, never written by hand, and left out of every listing. */
const MADE_FOLDERS = new Set([
  ".cache",
  ".git",
  ".react-router",
  "build",
  "node_modules",
  "playwright-report",
  "test-results",
]);

/**
 * The files below a folder, as paths from `base` with forward slashes, in a fixed order.
 *
 * @param {string} folder
 * @param {string} [base]
 * @returns {string[]}
 */
export function listFiles(folder, base = root) {
  const start = join(base, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { withFileTypes: true })
    .filter((entry) => !MADE_FOLDERS.has(entry.name) && !(folder === "" && entry.name === "data"))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path, base);
      return entry.isFile() ? [path.split(sep).join("/")] : [];
    });
}

/**
 * One value for the content of all these files.
 *
 * @param {string[]} paths from the root
 */
export function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/** A folder for locks and reports, which git ignores. */
export function cacheFolder() {
  const folder = join(root, ".cache");
  mkdirSync(folder, { recursive: true });
  return folder;
}
