import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "alcove-tests-";
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Runs the work with a folder in memory, or null where the system has too little. A busy disk takes up to a
 * second for each database of the tests.
 *
 * @template T
 * @param {(folder: string | null) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withMemoryFolder(work) {
  if (!hasMemory()) return work(null);
  deleteFoldersOfKilledRuns();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755); // PostgreSQL runs as another user
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function hasMemory() {
  if (process.platform !== "linux" || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES;
}

function deleteFoldersOfKilledRuns() {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
    if (/^\d+$/.test(pid) && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
