import { existsSync, readdirSync, readFileSync } from "node:fs";

/** USER_HZ of Linux. */
const TICK_MS = 10;

/** CPU milliseconds between each `start` and `end`. */
export class CpuTime {
  readonly #read: () => number | null;
  #start: number | null = null;
  #sum: number | null = 0;

  constructor(read: () => number | null) {
    this.#read = read;
  }

  start(): void {
    this.#start = this.#read();
  }

  end(): void {
    const now = this.#read();
    this.#sum = this.#sum === null || now === null ? null : this.#sum + now - this.#start!;
  }

  /** Per message, as a table cell. */
  perEach(count: number): string {
    return this.#sum === null ? "" : (this.#sum / count).toFixed(2);
  }
}

/** Null if the system does not report it. */
export function processorMs(pid: number): number | null {
  return existsSync("/proc/self/stat") ? processMs(pid, { withEnded: false }) : null;
}

/** With the running and ended children. */
export function familyMs(pid: number): number | null {
  if (!existsSync("/proc/self/stat")) return null;
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid,
  );
  return children.reduce(
    (sum, child) => sum + processMs(Number(child), { withEnded: true }),
    processMs(pid, { withEnded: true }),
  );
}

function processMs(pid: number, { withEnded }: { withEnded: boolean }): number {
  const [user, system, endedUser, endedSystem] = statOf(pid).slice(11, 15).map(Number);
  return TICK_MS * (user! + system! + (withEnded ? endedUser! + endedSystem! : 0));
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The name may contain spaces. Returns zeros for an ended process. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return Array.from({ length: 20 }, () => "0");
  }
}
