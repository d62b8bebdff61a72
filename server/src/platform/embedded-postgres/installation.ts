import { spawnSync } from "node:child_process";
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
import { join } from "node:path";
import { ConfigError } from "../../config.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";
import { type Account, unprivilegedAccount } from "./account.ts";
import { findPostgresBinaries } from "./binaries.ts";
import { isAlive } from "./process.ts";

const MAJOR_VERSION = "18";
export const ROLE = "alcove";

export type Installation = {
  binaries: string;
  folder: string;
  data: string;
  account: Account | undefined;
  password: string;
};

export async function prepareInstallation(dataDir: string): Promise<Installation> {
  const account = unprivilegedAccount();
  await createPrivateFolder(join(dataDir, "postgres"));
  const folder = realpathSync(join(dataDir, "postgres"));
  if (account) chownSync(folder, account.uid, account.gid);
  return {
    binaries: findPostgresBinaries(account, folder),
    folder,
    data: join(folder, "data"),
    account,
    password: readOrCreatePassword(join(folder, "password")),
  };
}

/** Simultaneous processes use the password of the first one. */
function readOrCreatePassword(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(24).toString("hex"), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, "utf8");
}

/** Creates the database beside its final folder, so that an interrupted start leaves no incomplete one. */
export function createDatabase(installation: Installation): void {
  removeUnfinished(installation.folder);
  const name = `new-${process.pid}`;
  const unfinished = join(installation.folder, name);
  try {
    run(installation, "initdb", [
      `--pgdata=${reachablePath(installation, name)}`,
      "--username=postgres",
      "--auth=peer", // replaced below: the superuser cannot log in
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ]);
    const statements = [
      "set scram_iterations = 1", // they slow down guesses of a short password; ours is 24 random bytes
      `create role ${ROLE} login createdb password '${installation.password}'`,
      `create database ${ROLE} owner ${ROLE}`,
    ];
    run(
      installation,
      "postgres",
      ["--single", "-D", reachablePath(installation, name), "postgres"],
      `${statements.join(";\n")};\n`,
    );
    writeFileSync(join(unfinished, "pg_hba.conf"), `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`);
    renameSync(unfinished, installation.data);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(installation.data)) throw error;
  }
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, creator] = /^new-(\d+)$/.exec(name) ?? [];
    const isAbandoned =
      creator !== undefined && (Number(creator) === process.pid || !isAlive(Number(creator)));
    if (isAbandoned) rmSync(join(folder, name), { recursive: true });
  }
}

function run(installation: Installation, program: "initdb" | "postgres", args: string[], input = ""): void {
  const { folder, descriptors } = openFolder(installation);
  try {
    const { status, stderr, error } = spawnSync(join(installation.binaries, "bin", program), args, {
      ...spawnOptions(installation),
      input,
      stdio: ["pipe", "pipe", "pipe", ...descriptors],
      encoding: "utf8",
    });
    if (error || status !== 0 || /\b(ERROR|FATAL|PANIC):/.test(stderr)) {
      const reason = error?.message ?? stderr.trim();
      throw new ConfigError(`DATA_DIR: PostgreSQL's ${program} failed in ${installation.folder}: ${reason}`);
    }
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/**
 * The unprivileged account may not enter a parent folder such as /root, so it gets our folder as an open descriptor.
 */
export function reachablePath(installation: Installation, name: string): string {
  return installation.account ? `/proc/self/fd/3/${name}` : join(installation.folder, name);
}

export function openFolder(installation: Installation): {
  folder: number | undefined;
  descriptors: number[];
} {
  if (!installation.account) return { folder: undefined, descriptors: [] };
  const folder = openSync(installation.folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { folder, descriptors: [folder] };
}

export function spawnOptions(installation: Installation) {
  // Our own environment may hold secrets and PG… variables.
  return {
    ...installation.account,
    cwd: installation.account ? "/" : installation.folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
  };
}

export function requireSameVersion(data: string): void {
  const version = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (version !== MAJOR_VERSION) {
    throw new ConfigError(
      `DATA_DIR: ${data} was created by PostgreSQL ${version} and this is ${MAJOR_VERSION}: restore a backup into an empty DATA_DIR.`,
    );
  }
}
