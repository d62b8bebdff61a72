import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError } from "../../config.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";
import { type Account, lesserAccount } from "./account.ts";
import { findPostgresBinaries } from "./binaries.ts";
import { forgetStranger, isAlive, isReady, marks, runningPostgres } from "./process.ts";

const MAJOR_VERSION = "18";
const ROLE = "alcove";
const KEPT_LINES = 20;

type Options = {
  dataDir: string;
  log?: (line: string) => void;
  /** For data that nobody will miss: nothing waits for the disk. */
  forTests?: boolean;
};

/** Everything needed to run one of the programs in this place. */
type Place = {
  binaries: string;
  folder: string;
  data: string;
  account: Account | undefined;
  password: string;
};

/**
 * Starts the embedded PostgreSQL in `dataDir/postgres`, making the database at the first start, and answers when it
 * takes connections. It comes back by itself when it crashes, under the same address; when this process dies without a
 * `stop()`, it stops too. Close the pools before `stop()`.
 */
export async function startPostgres(options: Options): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.platform === "win32") {
    throw new ConfigError("The embedded PostgreSQL runs on Linux and macOS: use WSL, or set DATABASE_URL.");
  }
  const place = await preparePlace(options.dataDir);
  if (existsSync(place.data)) await stopOrphan(place.data, options.log);
  else createDatabase(place);
  refuseOtherVersions(place.data);

  const server = new Server(place, options);
  await server.start();
  return { url: addressOf(server.port, place.password), stop: () => server.stop() };
}

/** The address of the embedded PostgreSQL that another living process runs in `dataDir` now; undefined when none does. */
export function runningPostgresUrl(dataDir: string): string | undefined {
  const folder = join(dataDir, "postgres");
  const data = join(folder, "data");
  const running = existsSync(data) ? runningPostgres(data) : undefined;
  if (!running?.ownerLives || !isReady(data, running.pid)) return undefined;

  const port = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[3]);
  return addressOf(port, readFileSync(join(folder, "password"), "utf8"));
}

function addressOf(port: number, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`;
}

async function preparePlace(dataDir: string): Promise<Place> {
  const account = lesserAccount();
  await createPrivateFolder(join(dataDir, "postgres"));
  const folder = realpathSync(join(dataDir, "postgres"));
  if (account) chownSync(folder, account.uid, account.gid);
  return {
    binaries: findPostgresBinaries(account, folder),
    folder,
    data: join(folder, "data"),
    account,
    password: keepPassword(join(folder, "password")),
  };
}

/** The same password at each start; of two processes that make it at once, the first one's. */
function keepPassword(file: string): string {
  if (!existsSync(file)) {
    const mine = `${file}.${process.pid}`;
    writeFileSync(mine, randomBytes(24).toString("hex"), { mode: 0o600 });
    try {
      linkSync(mine, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(mine);
    }
  }
  return readFileSync(file, "utf8");
}

/** Made beside its place and moved there when whole, so that a start which was cut off leaves nothing half made. */
function createDatabase(place: Place): void {
  removeUnfinished(place.folder);
  const name = `new-${process.pid}`;
  const unfinished = join(place.folder, name);
  try {
    run(place, "initdb", [
      `--pgdata=${reach(place, name)}`,
      "--username=postgres",
      "--auth=peer", // replaced below: the superuser has no password and is nobody's way in
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ]);
    const statements = [
      `create role ${ROLE} login createdb password '${place.password}'`,
      `create database ${ROLE} owner ${ROLE}`,
    ];
    run(
      place,
      "postgres",
      ["--single", "-D", reach(place, name), "postgres"],
      `${statements.join(";\n")};\n`,
    );
    writeFileSync(join(unfinished, "pg_hba.conf"), `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`);
    renameSync(unfinished, place.data);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(place.data)) throw error; // else another process was first
  }
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, maker] = /^new-(\d+)$/.exec(name) ?? [];
    const isAbandoned = maker !== undefined && (Number(maker) === process.pid || !isAlive(Number(maker)));
    if (isAbandoned) rmSync(join(folder, name), { recursive: true });
  }
}

function run(place: Place, program: "initdb" | "postgres", args: string[], input = ""): void {
  const { folder, descriptors } = openFolder(place);
  try {
    const { status, stderr, error } = spawnSync(join(place.binaries, "bin", program), args, {
      ...runningAs(place),
      input,
      stdio: ["pipe", "pipe", "pipe", ...descriptors],
      encoding: "utf8",
    });
    // the single-user server goes on after a statement that failed
    if (error || status !== 0 || /\b(ERROR|FATAL|PANIC):/.test(stderr)) {
      const reason = error?.message ?? stderr.trim();
      throw new ConfigError(`DATA_DIR: PostgreSQL's ${program} failed in ${place.folder}: ${reason}`);
    }
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/**
 * How the programs name a folder below ours. The lesser account may be kept out of a folder on the way, such as /root:
 * it gets ours as an open descriptor and starts from there.
 */
function reach(place: Place, name: string): string {
  return place.account ? `/proc/self/fd/3/${name}` : join(place.folder, name);
}

function openFolder(place: Place): { folder: number | undefined; descriptors: number[] } {
  if (!place.account) return { folder: undefined, descriptors: [] };
  const folder = openSync(place.folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { folder, descriptors: [folder] };
}

function runningAs(place: Place) {
  // nothing of our own environment: it may hold secrets, and PG… variables would change what the programs do
  return {
    ...place.account,
    cwd: place.account ? "/" : place.folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
  };
}

function refuseOtherVersions(data: string): void {
  const version = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (version !== MAJOR_VERSION) {
    throw new ConfigError(
      `DATA_DIR: ${data} was made by PostgreSQL ${version} and this is ${MAJOR_VERSION}: restore a backup into an empty DATA_DIR.`,
    );
  }
}

/** Stops a server whose starter was killed; a server that still has its starter is somebody's, and we refuse. */
async function stopOrphan(data: string, log?: (line: string) => void): Promise<void> {
  const running = runningPostgres(data);
  if (!running) return forgetStranger(data);
  if (running.ownerLives)
    throw new ConfigError(
      `DATA_DIR: another Alcove is running with ${data}: stop it, or set another DATA_DIR.`,
    );

  log?.(`stopping the PostgreSQL (process ${running.pid}) that a killed Alcove left behind`);
  await stopProcess(running.pid, () => runningPostgres(data)?.pid !== running.pid);
}

/** Asks politely, then firmly; after the second signal PostgreSQL recovers at its next start. */
async function stopProcess(pid: number, isGone: () => boolean): Promise<void> {
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

/** One running server: it is started again when it dies, until it is told to stop. */
class Server {
  port = 0;
  #place: Place;
  #options: Options;
  #child: ChildProcess | undefined;
  #lastLines: string[] = [];
  #isStopping = false;
  #restarting: Promise<void> | undefined;

  constructor(place: Place, options: Options) {
    this.#place = place;
    this.#options = options;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.port = await freePort();
      if (await this.#launch()) return;
      const lostItsPort = this.#lastLines.some((line) => line.includes("could not bind"));
      if (lostItsPort && attempt < 5) continue;
      if (runningPostgres(this.#place.data)?.ownerLives) await stopOrphan(this.#place.data); // says who has the folder
      throw new ConfigError(
        `DATA_DIR: PostgreSQL did not start in ${this.#place.folder}:\n${this.#lastLines.join("\n")}`,
      );
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restarting;
    const child = this.#child;
    if (child?.pid && !hasExited(child)) await stopProcess(child.pid, () => hasExited(child));
  }

  /** Runs the server and answers true when it is ready, false when it ended before that. */
  async #launch(): Promise<boolean> {
    const { folder, descriptors } = openFolder(this.#place);
    const child = spawn(join(this.#place.binaries, "bin", "postgres"), this.#args(), {
      ...runningAs(this.#place),
      detached: true, // a Ctrl-C in the terminal is ours to pass on, after the pools
      stdio: ["ignore", "ignore", "pipe", ...descriptors],
    });
    if (folder !== undefined) closeSync(folder);
    this.#child = child;
    this.#lastLines = [];
    child.on("error", (error) => this.#keepLine(error.message));
    if (child.stderr) createInterface({ input: child.stderr }).on("line", (line) => this.#keepLine(line));
    if (!child.pid) return false;

    const watcher = stopWhenWeDie(child.pid, this.#place.account);
    child.once("exit", () => watcher.stdin?.end("stopped\n"));

    while (!isReady(this.#place.data, child.pid)) {
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
    for (let pauseMs = 100; !this.#isStopping; pauseMs = Math.min(pauseMs * 2, 5000)) {
      await wait(pauseMs); // processes of the dead server may still hold its memory
      if (this.#isStopping || (await this.#launch())) return;
    }
  }

  #args(): string[] {
    const config = [
      ...marks(this.#place.data),
      "listen_addresses=127.0.0.1",
      `port=${this.port}`,
      "unix_socket_directories=",
      "timezone=UTC",
      "log_timezone=UTC",
      "jit=off", // short statements: compiling them costs more than it saves
      // What members write may stand in a statement, a detail or an error: none of them is logged.
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
            "autovacuum=off", // it would visit each of hundreds of short-lived databases every minute
          ]
        : ["shared_buffers=256MB", "max_connections=100"]),
    ];
    return ["-D", reach(this.#place, "data"), ...config.flatMap((setting) => ["-c", setting])];
  }

  #keepLine(line: string): void {
    this.#lastLines = [...this.#lastLines, line].slice(-KEPT_LINES);
    this.#options.log?.(line);
  }
}

/**
 * A shell that waits on a pipe from us. The pipe breaks when this process dies, however it dies, and then the shell
 * stops the server; a line through the pipe means that the server ended before us.
 */
function stopWhenWeDie(pid: number, account: Account | undefined): ChildProcess {
  const watcher = spawn("/bin/sh", ["-c", `read line || kill -INT ${pid}`], {
    ...account,
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {}); // no shell: then the next start stops the orphan
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
