import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { projectEnvironment, root } from "./project.js";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const SAME_KEY_PRESS_MS = 1000;

/**
 * Runs a program in the foreground, passes signals on and returns the exit code.
 *
 * In its own process group it receives one Ctrl-C, although terminal and npm both send it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv, hasChannel?: boolean, isGroup?: boolean, readsInput?: boolean }} [options]
 *   `isGroup`: a signal goes to all processes of the program; `hasChannel`: the program can stop when we are killed
 * @returns {Promise<number>}
 */
export async function run(
  command,
  args,
  { folder = "", env = {}, hasChannel = false, isGroup = false, readsInput = false } = {},
) {
  const child = spawn(command, args, {
    cwd: `${root}/${folder}`,
    env: { ...projectEnvironment(), ...env },
    detached: true,
    stdio: [
      readsInput ? "inherit" : "ignore",
      "inherit",
      "inherit",
      ...(hasChannel ? /** @type {const} */ (["ipc"]) : []),
    ],
  });

  let lastAt = -SAME_KEY_PRESS_MS;
  /** @param {NodeJS.Signals} signal */
  function passOn(signal) {
    if (child.pid === undefined || performance.now() - lastAt < SAME_KEY_PRESS_MS) return;
    lastAt = performance.now();
    process.kill(isGroup ? -child.pid : child.pid, signal === "SIGHUP" ? "SIGTERM" : signal);
  }
  for (const signal of SIGNALS) process.on(signal, passOn);

  // A killed npm passes nothing on. NOTE: `exec` in package.json keeps a shell from standing between npm and us.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) passOn("SIGTERM");
  }, 1000).unref();

  try {
    const [code, signal] = await once(child, "exit");
    return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
  } finally {
    clearInterval(watch);
    for (const signal of SIGNALS) process.off(signal, passOn);
  }
}
