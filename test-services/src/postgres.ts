import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE_ENV } from "./compile-cache.ts";

/** The embedded PostgreSQL without a server. It restarts when it ends, at the same URL. */
export interface PostgresServer {
  readonly url: string;
  /** `SIGKILL`, or `SIGINT` for a quick stop. */
  signal(signal: NodeJS.Signals): void;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../../server/src/testing/serve-postgres.ts", import.meta.url));

export async function startPostgres(dataDir: string): Promise<PostgresServer> {
  const child = fork(PROGRAM, [dataDir], { env: { ...process.env, ...COMPILE_CACHE_ENV } });
  const [{ url }] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error("PostgreSQL did not start"))),
  ])) as [{ url: string }];
  const pidFile = join(dataDir, "postgres/data/postmaster.pid");
  return {
    url,
    signal: (signal) => void process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), signal),
    async close() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}
