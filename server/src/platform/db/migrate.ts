import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator, type MigrationResultSet } from "kysely/migration";
import pg from "pg";
import { migrations } from "../../../migrations/index.ts";
import { MINUTE_MS, SECOND_MS } from "../clock.ts";
import { connect, type Database } from "./database.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";
import { OtherSchemaError } from "./errors.ts";
import { nameByContent } from "./migration-names.ts";

/** Requests of other processes queue behind a migration that waits for a lock. */
const LOCK_TIMEOUT_MS = 2 * SECOND_MS;
const PAUSE_MS = SECOND_MS;
const ATTEMPTS_MS = 5 * MINUTE_MS;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Simultaneous processes wait for the first one; processes that serve are held up for two seconds at a time.
 *
 * @throws OtherSchemaError before any change, if the database has a migration that this version lacks
 */
export async function migrate(database: Database, log: Log, steps = migrations): Promise<string[]> {
  const named = await nameByContent(steps);
  const { error, results = [] } = (await hasRun(database, Object.keys(named)))
    ? {}
    : await migrateWithLockTimeout(database.url, log, named);
  for (const { migrationName, status } of results)
    log.info({ migration: migrationName, status }, "migration");
  if (isUnknownMigration(error)) throw new OtherSchemaError(error);
  if (error) throw error;
  await migrateJobs(database.pool, log);
  return results.map(({ migrationName }) => migrationName);
}

/** Most starts have nothing to run. The migrator would read all catalogs, and needs a connection of its own. */
async function hasRun({ db }: Database, names: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!rows[0]!.exists) return false;
  const run = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return run.rows.length === names.length && run.rows.every(({ name }) => names.includes(name));
}

async function migrateWithLockTimeout(
  url: string,
  log: Log,
  named: typeof migrations,
): Promise<MigrationResultSet> {
  const database = connect(url, log, { size: 1, lockTimeoutMs: LOCK_TIMEOUT_MS });
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => named },
    // A migration belongs to one feature and never depends on a higher number.
    allowUnorderedMigrations: true,
  });
  const until = performance.now() + ATTEMPTS_MS;
  try {
    for (;;) {
      const outcome = await migrator.migrateToLatest();
      if (!isLockTimeout(outcome.error) || performance.now() > until) return outcome;
      log.warn("a migration waits for a lock");
      await wait(PAUSE_MS);
    }
  } finally {
    await database.close();
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;

/** The migrator has no class for this error. */
function isUnknownMigration(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("corrupted migrations: previously executed");
}
