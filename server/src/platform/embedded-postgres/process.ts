import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A later start identifies the folder and the owner by these settings. */
export function ownerSettings(dataFolder: string): string[] {
  return [
    `alcove.folder=${folderId(dataFolder)}`,
    `alcove.started_by=${process.pid}@${startTime(process.pid)}`,
  ];
}

export function runningPostgres(dataFolder: string): { pid: number; ownerLives: boolean } | undefined {
  const pid = recordedPid(dataFolder);
  if (!pid || !isPostgresOf(pid, dataFolder)) return undefined;

  const [, ownerPid, ownerStart] = /alcove\.started_by=(\d+)@(\S+)/.exec(commandLine(pid)) ?? [];
  return { pid, ownerLives: ownerPid !== undefined && startTime(Number(ownerPid)) === ownerStart };
}

/** PostgreSQL does not start while another program has a dead server's process id. */
export function deleteStalePidFile(dataFolder: string): void {
  const pid = recordedPid(dataFolder);
  if (pid && isAlive(pid) && !isPostgres(pid)) rmSync(join(dataFolder, "postmaster.pid"), { force: true });
}

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

function isPostgresOf(pid: number, dataFolder: string): boolean {
  return (
    isAlive(pid) && isPostgres(pid) && commandLine(pid).includes(`alcove.folder=${folderId(dataFolder)} `)
  );
}

function isPostgres(pid: number): boolean {
  return /\bpostgres\b/.test(commandLine(pid));
}

function folderId(dataFolder: string): string {
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

/** Distinguishes a process from a later one with the same id. */
function startTime(pid: number): string {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? "" : (fields[19] ?? "");
    }
    const line = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" });
    const [state = "", ...started] = line.trim().split(/\s+/);
    return state.startsWith("Z") ? "" : started.join("_");
  } catch {
    return "";
  }
}

/** Sends stronger signals until the process is gone. After the second one PostgreSQL recovers at its next start. */
export async function stopProcess(pid: number, isGone: () => boolean): Promise<void> {
  for (const [signal, seconds] of [
    ["SIGINT", 30],
    ["SIGQUIT", 10],
    ["SIGKILL", 5],
  ] as const) {
    if (isGone()) return;
    signalProcess(pid, signal);
    for (let waited = 0; waited < seconds * 1000; waited += 20) {
      if (isGone()) return;
      await wait(20);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
