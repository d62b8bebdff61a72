import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** What is copied under one name, and how it is read and written. */
export interface Copied {
  readonly name: string;
  readonly columns: string[];
}

/**
 * Tables whose rows belong to the moment: nobody is logged in by a backup, who may have been locked out since, and no
 * device is told of what was new then.
 */
const OF_THE_MOMENT = [
  "sessions",
  "socket_tickets",
  "notification_outbox",
  "push_subscriptions",
  "push_endpoints",
  // Written by the migrations of the database that is restored into.
  "kysely_migration",
  "kysely_migration_lock",
];

/** Jobs that are not done. Their tables are the worker's own, so they are read and added through its functions. */
const JOBS: Copied = {
  name: "jobs",
  columns: ["identifier", "payload", "run_at", "max_attempts", "key", "priority"],
};

/** So that values are written as they are read, whatever the server is set to. */
export async function speakPlainly(client: pg.Client): Promise<void> {
  await client.query("set client_encoding to 'UTF8'");
  await client.query("set datestyle to 'ISO, YMD'");
  await client.query("set intervalstyle to 'postgres'");
  await client.query("set timezone to 'UTC'");
  await client.query("set bytea_output to 'hex'");
  await client.query("set extra_float_digits to 1");
}

/** All that follows is read as it stands now. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query("begin isolation level repeatable read read only");
  await client.query("select from kysely_migration limit 1");
}

/** The migrations that made the tables, by name. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  return rows.map(({ name }) => name);
}

/** What a backup holds, tables that others refer to before those. */
export async function copiedTables(client: pg.Client): Promise<Copied[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(
    `select t.relname as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid
             where c.conrelid = t.oid and c.contype = 'f') as refers
     from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and t.relpersistence = 'p' and t.relname <> all($1)
     order by t.relname`,
    [OF_THE_MOMENT],
  );
  const ordered: Copied[] = [];
  const place = (name: string) => {
    const row = rows.find((each) => each.name === name);
    if (!row || ordered.some((each) => each.name === name)) return;
    row.refers.filter((other) => other !== name).forEach(place);
    ordered.push({ name, columns: row.columns });
  };
  rows.forEach(({ name }) => place(name));
  return [...ordered, JOBS];
}

/** The rows of a table in PostgreSQL's own text form, whole lines to be cut anywhere. */
export function readRows(client: pg.Client, { name, columns }: Copied): AsyncIterable<Buffer> {
  // Letters are for the moment too, jobs of the clock come again by themselves.
  const source =
    name === JOBS.name
      ? `(select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
          from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier not like '%\\_email' and j.payload -> '_cron' is null and j.attempts < j.max_attempts
          order by j.id)`
      : `${quoted(name)} (${columns.map(quoted).join(", ")})`;
  return client.query(copyTo(`copy ${source} to stdout`));
}

/** Writes rows as they were read; answers how many. */
export async function writeRows(
  client: pg.Client,
  { name, columns }: Copied,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const isJobs = name === JOBS.name;
  if (isJobs) {
    await client.query(
      `create temporary table jobs_of_backup (identifier text, payload json, run_at timestamptz, max_attempts int,
         key text, priority int) on commit drop`,
    );
  }
  const target = isJobs ? "jobs_of_backup" : quoted(name);
  const copy = client.query(copyFrom(`copy ${target} (${columns.map(quoted).join(", ")}) from stdin`));
  await pipeline(Readable.from(rows), copy);
  if (isJobs) {
    await client.query(
      `select graphile_worker.add_job(identifier, payload := payload, run_at := run_at,
         max_attempts := max_attempts, job_key := key, priority := priority) from jobs_of_backup`,
    );
  }
  return copy.rowCount;
}

/** Where each sequence stands. Asked after the snapshot began, it is behind none of its rows. */
export async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: number | null }>(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'",
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last ?? 0]));
}

/** So far sequences are set ahead: numbers that were given after the backup are never given again. */
const AHEAD = 1_000_000;

export async function setSequences(client: pg.Client, stood: Record<string, number>): Promise<void> {
  for (const [name, last] of Object.entries(stood)) {
    if (last > 0) await client.query("select setval($1::regclass, $2)", [quoted(name), last + AHEAD]);
  }
}

/** A table that holds something; null when none does. What operators did is no reason to keep a backup out. */
export async function findFilledTable(client: pg.Client): Promise<string | null> {
  for (const { name } of await copiedTables(client)) {
    if (name === JOBS.name || name === "operator_log") continue;
    const { rows } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return null;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
