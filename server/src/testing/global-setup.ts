import { mkdtempSync, chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../platform/embedded-postgres/server.ts";
import { createTemplate } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = "alcove_template";

/** Each `testService()` clones the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await server();
  await createTemplate(postgres.url, TEMPLATE);
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
