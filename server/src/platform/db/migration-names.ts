import { createHash } from "node:crypto";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from "kysely";
import type { Migration } from "kysely/migration";

type Migrations = Readonly<Record<string, Migration>>;

/**
 * Each name gets a digest of the statements: a database of a migration that was edited in place has a name that no
 * migration has.
 */
export async function nameByContent(migrations: Migrations): Promise<Migrations> {
  const named = Object.entries(migrations).map(
    async ([name, migration]) => [`${name}_${await digestOf(migration)}`, migration] as const,
  );
  return Object.fromEntries(await Promise.all(named));
}

async function digestOf(migration: Migration): Promise<string> {
  const texts = (await statementsOf(migration)).map(({ sql, parameters }) => [sql, parameters]);
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 12);
}

export async function statementsOf(migration: Migration): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query),
  });
  await migration.up(recorder);
  await recorder.destroy();
  return statements;
}
