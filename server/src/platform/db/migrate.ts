import { Migrator } from "kysely/migration";
import { migrations } from "../../../migrations/index.ts";
import type { Database } from "./database.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";
import { OtherSchemaError } from "./errors.ts";
import { nameByContent } from "./migration-names.ts";

/**
 * Runs pending migrations. Simultaneous processes wait for the first one.
 *
 * @throws OtherSchemaError before any change, if the database has a migration that this version does not have
 */
export async function migrate(database: Database, log: Log): Promise<void> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => nameByContent(migrations) },
    // A migration belongs to one feature and never depends on a higher number.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results)
    log.info({ migration: migrationName, status }, "migration");
  if (isUnknownMigration(error)) throw new OtherSchemaError(error);
  if (error) throw error;
  await migrateJobs(database.pool, log);
}

/** The migrator has no class for this error. */
function isUnknownMigration(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("corrupted migrations: previously executed");
}
