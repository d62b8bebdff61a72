import { Migrator } from "kysely/migration";
import { migrations } from "../../../migrations/index.ts";
import type { Database } from "./database.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";

/** Brings the database to the newest form. Of several processes that start at once one does it and the others wait. */
export async function migrate(database: Database, log: Log): Promise<void> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => migrations },
    // Each belongs to one feature and none builds on a later number: one that was written aside may come after it.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results)
    log.info({ migration: migrationName, status }, "migration");
  if (error) throw error;
  await migrateJobs(database.pool, log);
}
