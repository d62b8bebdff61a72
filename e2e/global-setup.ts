import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@alcove/test-services/postgres";

export const TEMPLATE = "alcove_e2e";

/** Starts one PostgreSQL for the run; the database of each worker is a clone of the template. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-e2e-postgres-"));
  await chmod(dataDir, 0o755);
  const postgres = await startPostgres(dataDir, { template: TEMPLATE });
  process.env["E2E_POSTGRES_URL"] = postgres.url;
  return async () => {
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
