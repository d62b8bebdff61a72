import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { CHILD_ENV } from "./child-env.ts";

/** The embedded PostgreSQL without a server. It restarts when it ends, at the same URL. */
export interface PostgresServer {
  readonly url: string;
  /** `SIGKILL`, or `SIGINT` for a quick stop. */
  signal(signal: NodeJS.Signals): void;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../../server/src/testing/serve-postgres.ts", import.meta.url));

/** `template` names a migrated database to clone, and gives up durability. */
export async function startPostgres(
  dataDir: string,
  { template }: { template?: string } = {},
): Promise<PostgresServer> {
  const args = template === undefined ? [dataDir] : [dataDir, template];
  const child = fork(PROGRAM, args, { env: CHILD_ENV });
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

/** Returns the URL of a new database, a clone of the template. */
export async function cloneDatabase(serverUrl: string, template: string): Promise<string> {
  const name = `${template}_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}
