import { mkdtempSync, chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { connect } from "../platform/db/database.ts";
import { openLog } from "../platform/log.ts";
import { migrate } from "../platform/db/migrate.ts";
import { startPostgres } from "../platform/embedded-postgres/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = "alcove_template";

/** Each `testService()` clones the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await server();
  const log = openLog("silent");

  const root = connect(postgres.url, log, { size: 1 });
  await root.pool.query(`drop database if exists ${TEMPLATE}`);
  await root.pool.query(`create database ${TEMPLATE}`);
  await root.close();
  const template = connect(databaseUrl(postgres.url, TEMPLATE), log, { size: 2 });
  await migrate(template, log);
  await template.close();

  project.provide("postgresUrl", postgres.url);
  return postgres.stop;
}

/** `TEST_DATABASE_URL` names another PostgreSQL version than the embedded one. */
async function server(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) return { url: given, stop: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), "alcove-test-"));
  chmodSync(dataDir, 0o755);
  const { url, stop } = await startPostgres({ dataDir, forTests: true });
  return {
    url,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
