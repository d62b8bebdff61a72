import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cacheFolder } from "./repository.js";

/**
 * Does the work while no other process does work of the same name; waits for its turn. A lock whose holder was killed
 * is taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function whileAlone(name, work, folder = cacheFolder()) {
  const lock = join(folder, `${name}.lock`);
  const mine = `${lock}.${randomUUID()}`;
  const me = `${process.pid} ${startTime(process.pid)}`;
  writeFileSync(mine, me);
  try {
    for (let hasSaidSo = false; !claim(mine, lock); hasSaidSo = true) {
      if (!hasSaidSo) console.log(`Waiting for another process: ${name}`);
      await wait(200);
    }
    try {
      return await work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * @param {string} mine
 * @param {string} lock
 * @returns {boolean} false while another living process has it
 */
function claim(mine, lock) {
  try {
    linkSync(mine, lock); // fails when it is there, for all but one of those who try at once
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const holder = read(lock);
  if (holder === undefined) return claim(mine, lock); // just given back
  if (isHeldBy(holder)) return false;
  remove(lock, holder, mine);
  return claim(mine, lock);
}

/**
 * Takes away a dead process's lock, and puts it back if somebody else's was taken instead.
 *
 * @param {string} lock
 * @param {string} deadHolder
 * @param {string} mine
 */
function remove(lock, deadHolder, mine) {
  const taken = `${mine}.taken`;
  try {
    renameSync(lock, taken);
    if (read(taken) !== deadHolder) linkSync(taken, lock);
    rmSync(taken);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(codeOf(error))) throw error;
  }
}

/** @param {string} holder */
function isHeldBy(holder) {
  const [pid = "", start] = holder.split(" ");
  return startTime(Number(pid)) === start;
}

/**
 * Tells a process from a later one of the same number; empty when there is none.
 *
 * @param {number} pid
 */
function startTime(pid) {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? "" : fields[19];
    }
    if (process.platform === "win32") {
      process.kill(pid, 0);
      return "alive";
    }
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .replace(/\s+/g, "_");
  } catch {
    return "";
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? "";
}
