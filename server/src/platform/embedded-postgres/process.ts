import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Settings that a PostgreSQL of ours carries in its arguments, so that a later start knows it and whose it is. */
export function marks(dataFolder: string): string[] {
  return [
    `alcove.folder=${folderMark(dataFolder)}`,
    `alcove.started_by=${process.pid}@${startTime(process.pid)}`,
  ];
}

/** The server process that works in this data folder now, and whether the process that started it still lives. */
export function runningPostgres(dataFolder: string): { pid: number; ownerLives: boolean } | undefined {
  const pid = recordedPid(dataFolder);
  if (!pid || !isPostgresOf(pid, dataFolder)) return undefined;

  const [, ownerPid, ownerStart] = /alcove\.started_by=(\d+)@(\S+)/.exec(commandLine(pid)) ?? [];
  return { pid, ownerLives: ownerPid !== undefined && startTime(Number(ownerPid)) === ownerStart };
}

/**
 * Removes the record of a server that is gone when its number has passed to another program: PostgreSQL looks at the
 * number alone and would refuse to start for ever. A dead number is left to PostgreSQL, which then also looks for
 * processes that outlived it.
 */
export function forgetStranger(dataFolder: string): void {
  const pid = recordedPid(dataFolder);
  if (pid && isAlive(pid) && !isPostgres(pid)) rmSync(join(dataFolder, "postmaster.pid"), { force: true });
}

/** Whether the server has said that it takes connections. */
export function isReady(dataFolder: string, pid: number): boolean {
  const lines = postmasterFile(dataFolder);
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function recordedPid(dataFolder: string): number | undefined {
  const pid = Number(postmasterFile(dataFolder)[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

function postmasterFile(dataFolder: string): string[] {
  const file = join(dataFolder, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/** A number may have passed to a stranger since it was written down: after a reboot it mostly has. */
function isPostgresOf(pid: number, dataFolder: string): boolean {
  return (
    isAlive(pid) && isPostgres(pid) && commandLine(pid).includes(`alcove.folder=${folderMark(dataFolder)} `)
  );
}

function isPostgres(pid: number): boolean {
  return /\bpostgres\b/.test(commandLine(pid));
}

/** The folder itself and not its path, which may lead through links and mounts. */
function folderMark(dataFolder: string): string {
  const { dev, ino } = statSync(dataFolder);
  return `${dev}:${ino}`;
}

function commandLine(pid: number): string {
  try {
    if (process.platform === "linux")
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** Tells a process from a later one of the same number; empty when there is none, or only its unburied remains. */
function startTime(pid: number): string {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // from the third on; the name may hold anything
      return fields[0] === "Z" ? "" : (fields[19] ?? "");
    }
    const line = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" });
    const [state = "", ...started] = line.trim().split(/\s+/);
    return state.startsWith("Z") ? "" : started.join("_");
  } catch {
    return "";
  }
}
