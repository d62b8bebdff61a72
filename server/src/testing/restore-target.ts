import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { AppContext } from "../platform/context.ts";
import { buildServer } from "../server.ts";
import { databaseUrl } from "./template.ts";
import type { TestService } from "./test-service.ts";

export interface RestoreTarget {
  databaseUrl: string;
  dataDir: string;
}

/** The folder is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "alcove-backup-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The database is empty; the data folder has the keys of a service. */
export async function createRestoreTarget(service: TestService): Promise<RestoreTarget> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const dataDir = await temporaryFolder();
  await cp(join(service.dataDir, "secrets"), join(dataDir, "secrets"), { recursive: true });
  return { databaseUrl: databaseUrl(inject("postgresUrl"), name), dataDir };
}

/** The server does not listen. */
export async function withServerParts<T>(
  service: TestService,
  place: RestoreTarget,
  run: (ctx: AppContext) => Promise<T>,
): Promise<T> {
  const { log } = service.ctx;
  const { dataDir } = place;
  const config = { ...service.ctx.config, dataDir, secretsDir: join(dataDir, "secrets") };
  const { ctx, close } = await buildServer({ config, databaseUrl: place.databaseUrl, log, poolSize: 2 });
  try {
    return await run(ctx);
  } finally {
    await close();
  }
}
