import { mkdtempSync, chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { connect } from "../platform/database.ts";
import { openLog } from "../platform/log.ts";
import { migrate } from "../platform/migrate.ts";
import { startPostgres } from "../platform/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL for this run, with the migrated database that each test service is cloned from. */
    postgresUrl: string;
  }
}

export const TEMPLATE = "alcove_template";

/** One database server for the whole run; each `testService()` clones the template of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "alcove-test-"));
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, forTests: true });
  const log = openLog("silent");

  const root = connect(postgres.url, log, 1);
  await root.pool.query(`create database ${TEMPLATE}`);
  await root.close();
  const template = connect(databaseUrl(postgres.url, TEMPLATE), log, 2);
  await migrate(template, log);
  await template.close();

  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
