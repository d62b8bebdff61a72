import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError } from "../../config.ts";
import type { Account } from "./account.ts";
import {
  createDatabase,
  type Installation,
  openFolder,
  prepareInstallation,
  reachablePath,
  requireSameVersion,
  ROLE,
  spawnOptions,
} from "./installation.ts";
import { deleteStalePidFile, isReady, ownerSettings, runningPostgres, stopProcess } from "./process.ts";

const LOG_LINES_KEPT = 20;

type Options = {
  dataDir: string;
  log?: (line: string) => void;
  forTests?: boolean;
};

/** A crashed server restarts at the same URL and stops when this process dies. Close pools before `stop()`. */
export async function startPostgres(options: Options): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.platform === "win32") {
    throw new ConfigError("The embedded PostgreSQL runs on Linux and macOS: use WSL, or set DATABASE_URL.");
  }
  const installation = await prepareInstallation(options.dataDir);
  if (existsSync(installation.data)) await stopOrphan(installation.data, options.log);
  else createDatabase(installation);
  requireSameVersion(installation.data);

  const server = new Server(installation, options);
  await server.start();
  return { url: urlOf(server.port, installation.password), stop: () => server.stop() };
}

export function runningPostgresUrl(dataDir: string): string | undefined {
  const folder = join(dataDir, "postgres");
  const data = join(folder, "data");
  const running = existsSync(data) ? runningPostgres(data) : undefined;
  if (!running?.ownerLives || !isReady(data, running.pid)) return undefined;

  const port = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[3]);
  return urlOf(port, readFileSync(join(folder, "password"), "utf8"));
}

function urlOf(port: number, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`;
}

async function stopOrphan(data: string, log?: (line: string) => void): Promise<void> {
  const running = runningPostgres(data);
  if (!running) return deleteStalePidFile(data);
  if (running.ownerLives)
    throw new ConfigError(
      `DATA_DIR: another Alcove is running with ${data}: stop it, or set another DATA_DIR.`,
    );

  log?.(`stopping the PostgreSQL (process ${running.pid}) that a killed Alcove left behind`);
  await stopProcess(running.pid, () => runningPostgres(data)?.pid !== running.pid);
}

class Server {
  port = 0;
  #installation: Installation;
  #options: Options;
  #child: ChildProcess | undefined;
  #lastLines: string[] = [];
  #isStopping = false;
  #restarting: Promise<void> | undefined;

  constructor(installation: Installation, options: Options) {
    this.#installation = installation;
    this.#options = options;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.port = await freePort();
      if (await this.#launch()) return;
      const isPortTaken = this.#lastLines.some((line) => line.includes("could not bind"));
      if (isPortTaken && attempt < 5) continue;
      if (runningPostgres(this.#installation.data)?.ownerLives) await stopOrphan(this.#installation.data);
      throw new ConfigError(
        `DATA_DIR: PostgreSQL did not start in ${this.#installation.folder}:\n${this.#lastLines.join("\n")}`,
      );
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restarting;
    const child = this.#child;
    if (child?.pid && !hasExited(child)) await stopProcess(child.pid, () => hasExited(child));
  }

  async #launch(): Promise<boolean> {
    const { folder, descriptors } = openFolder(this.#installation);
    const child = spawn(join(this.#installation.binaries, "bin", "postgres"), this.#args(), {
      ...spawnOptions(this.#installation),
      detached: true, // a Ctrl-C must not end it before the pools are closed
      stdio: ["ignore", "ignore", "pipe", ...descriptors],
    });
    if (folder !== undefined) closeSync(folder);
    this.#child = child;
    this.#lastLines = [];
    child.on("error", (error) => this.#keepLine(error.message));
    if (child.stderr) createInterface({ input: child.stderr }).on("line", (line) => this.#keepLine(line));
    if (!child.pid) return false;

    const watcher = stopWithThisProcess(child.pid, this.#installation.account);
    child.once("exit", () => watcher.stdin?.end("stopped\n"));

    while (!isReady(this.#installation.data, child.pid)) {
      if (hasExited(child)) return false;
      await wait(20);
    }
    child.once("exit", () => {
      if (!this.#isStopping) this.#restarting = this.#restart();
    });
    return true;
  }

  async #restart(): Promise<void> {
    this.#options.log?.("PostgreSQL ended unexpectedly: starting it again");
    for (let delayMs = 100; !this.#isStopping; delayMs = Math.min(delayMs * 2, 5000)) {
      await wait(delayMs); // processes of the dead server may still use its memory
      if (this.#isStopping || (await this.#launch())) return;
    }
  }

  #args(): string[] {
    const config = [
      ...ownerSettings(this.#installation.data),
      "listen_addresses=127.0.0.1",
      `port=${this.port}`,
      "unix_socket_directories=",
      "timezone=UTC",
      "log_timezone=UTC",
      "jit=off",
      // These may contain personal content.
      "log_min_messages=log",
      "log_min_error_statement=panic",
      "log_error_verbosity=terse",
      "log_checkpoints=off",
      "log_parameter_max_length=0",
      "log_parameter_max_length_on_error=0",
      ...(this.#options.forTests
        ? [
            "shared_buffers=128MB",
            "max_connections=500",
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
            "io_method=sync", // the pages are in memory: a process for reading only adds switches
            "autovacuum=off", // it would visit hundreds of short-lived databases every minute
          ]
        : ["shared_buffers=256MB", "max_connections=100"]),
    ];
    return ["-D", reachablePath(this.#installation, "data"), ...config.flatMap((setting) => ["-c", setting])];
  }

  #keepLine(line: string): void {
    this.#lastLines = [...this.#lastLines, line].slice(-LOG_LINES_KEPT);
    this.#options.log?.(line);
  }
}

/** A shell waits on a pipe, which breaks when this process dies in any way. Then the shell stops the server. */
function stopWithThisProcess(pid: number, account: Account | undefined): ChildProcess {
  const watcher = spawn("/bin/sh", ["-c", `read line || kill -INT ${pid}`], {
    ...account,
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {}); // without a shell, the next start stops the orphan
  watcher.stdin?.on("error", () => {});
  watcher.unref();
  return watcher;
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no free port on 127.0.0.1");
  return address.port;
}
