import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { root } from "./repository.js";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const SAME_KEY_PRESS_MS = 1000;

/**
 * Runs a program in the foreground until it ends by itself or one of our signals has stopped it; answers its exit code.
 *
 * It runs in a process group of its own, so that it hears of a Ctrl-C once: the terminal tells every process of the
 * group, and npm tells us again.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, withChannel?: boolean }} options
 * @returns {Promise<number>}
 */
export async function runToItsEnd(command, args, { env, cwd = root, withChannel = false }) {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "inherit", "inherit", ...(withChannel ? /** @type {const} */ (["ipc"]) : [])],
  });

  let lastAt = -SAME_KEY_PRESS_MS;
  /** @param {NodeJS.Signals} signal */
  function passOn(signal) {
    const isEcho = performance.now() - lastAt < SAME_KEY_PRESS_MS;
    if (isEcho) return;
    lastAt = performance.now();
    child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  }
  for (const signal of SIGNALS) process.on(signal, passOn);
  const watch = watchNpm(() => passOn("SIGTERM"));

  try {
    const [code, signal] = await once(child, "exit");
    return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
  } finally {
    clearInterval(watch);
    for (const name of SIGNALS) process.off(name, passOn);
  }
}

/**
 * An npm that is killed outright cannot pass anything on: then our parent changes. NOTE: the scripts in package.json
 * begin with `exec`, so that no shell stands between npm and us.
 *
 * @param {() => void} handleGone
 */
function watchNpm(handleGone) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  return setInterval(() => {
    if (process.ppid !== parent) handleGone();
  }, 1000).unref();
}
