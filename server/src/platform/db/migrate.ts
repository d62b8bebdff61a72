import { Migrator } from "kysely/migration";
import { migrations } from "../../../migrations/index.ts";
import type { Database } from "./database.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";

/** Runs pending migrations. Simultaneous processes wait for the first one. */
export async function migrate(database: Database, log: Log): Promise<void> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => migrations },
    // A migration belongs to one feature and never depends on a higher number.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results)
    log.info({ migration: migrationName, status }, "migration");
  if (error) throw error;
  await migrateJobs(database.pool, log);
}
