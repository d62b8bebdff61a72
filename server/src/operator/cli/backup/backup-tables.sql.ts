import { randomInt } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

export interface CopiedTable {
  readonly name: string;
  readonly columns: string[];
}

/** A restore must not revive sessions or send old notifications. The target has its own master keys and processes. */
const EXCLUDED_TABLES = [
  // Backed up apart.
  "data_keys",
  "master_keys",
  "server_processes",
  "sessions",
  "socket_tickets",
  "call_outcomes",
  "notification_outbox",
  "push_subscriptions",
  "push_endpoints",
  // Unlogged on one machine; a cluster logs them.
  "decks",
  "rate_limits",
  // The target's migrations write these.
  "kysely_migration",
  "kysely_migration_lock",
];

/** Graphile Worker owns the tables of pending jobs: its functions add them. Its view has no payloads to read. */
const JOBS: CopiedTable = {
  name: "jobs",
  columns: ["identifier", "payload", "run_at", "max_attempts", "key", "priority"],
};

/** The text format must not depend on the server's settings. */
export async function setTextFormats(client: pg.Client): Promise<void> {
  await client.query("set client_encoding to 'UTF8'");
  await client.query("set datestyle to 'ISO, YMD'");
  await client.query("set intervalstyle to 'postgres'");
  await client.query("set timezone to 'UTC'");
  await client.query("set bytea_output to 'hex'");
  await client.query("set extra_float_digits to 1");
}

export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query("begin isolation level repeatable read read only");
  await client.query("select from kysely_migration limit 1");
}

export async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  return rows.map(({ name }) => name);
}

export async function copiedTables(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(
    `select t.relname as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid
             where c.conrelid = t.oid and c.contype = 'f') as refers
     from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and t.relname <> all($1)
     order by t.relname`,
    [EXCLUDED_TABLES],
  );
  const ordered: CopiedTable[] = [];
  const place = (name: string) => {
    const row = rows.find((each) => each.name === name);
    if (!row || ordered.some((each) => each.name === name)) return;
    row.refers.filter((other) => other !== name).forEach(place);
    ordered.push({ name, columns: row.columns });
  };
  rows.forEach(({ name }) => place(name));
  return [...ordered, JOBS];
}

export function readRows(client: pg.Client, { name, columns }: CopiedTable): AsyncIterable<Buffer> {
  // Emails would be outdated.
  const source =
    name === JOBS.name
      ? `(select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
          from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier not like '%\\_email' and j.payload -> '_cron' is null and j.attempts < j.max_attempts
          order by j.id)`
      : `${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(", ")})`;
  return client.query(copyTo(`copy ${source} to stdout`));
}

export async function writeRows(
  client: pg.Client,
  { name, columns }: CopiedTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const isJobs = name === JOBS.name;
  if (isJobs) {
    await client.query(
      `create temporary table jobs_of_backup (identifier text, payload json, run_at timestamptz, max_attempts int,
         key text, priority int) on commit drop`,
    );
  }
  const target = isJobs ? "jobs_of_backup" : quoteIdentifier(name);
  const copy = client.query(
    copyFrom(`copy ${target} (${columns.map(quoteIdentifier).join(", ")}) from stdin`),
  );
  await pipeline(Readable.from(rows), copy);
  if (isJobs) {
    await client.query(
      `select graphile_worker.add_job(identifier, payload := payload, run_at := run_at,
         max_attempts := max_attempts, job_key := key, priority := priority) from jobs_of_backup`,
    );
  }
  return copy.rowCount;
}

/** Read after the snapshot began, so that no sequence is behind its rows. */
export async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: number | null }>(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'",
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last ?? 0]));
}

/** No number from after the backup is used again. */
const SEQUENCE_GAP = 1_000_000;
/** Two restores of one backup use different numbers. */
const RANDOM_GAP = 100_000_000;

/** @param highestMember the highest known number of a member */
export async function setSequences(
  client: pg.Client,
  backup: Record<string, number>,
  highestMember: number,
): Promise<void> {
  const positions = { ...backup, member_numbers: Math.max(backup["member_numbers"] ?? 0, highestMember) };
  const gap = SEQUENCE_GAP + randomInt(RANDOM_GAP);
  for (const [name, last] of Object.entries(positions)) {
    if (last > 0) await client.query("select setval($1::regclass, $2)", [quoteIdentifier(name), last + gap]);
  }
}

export async function isDistributed(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query("select where to_regclass('pg_dist_partition') is not null");
  if (found.length === 0) return false;
  const { rows } = await client.query("select from pg_dist_partition limit 1");
  return rows.length > 0;
}

/** Ignores the operator log and the id, which is replaced. */
export async function findFilledTable(client: pg.Client): Promise<string | null> {
  for (const { name } of await copiedTables(client)) {
    if ([JOBS.name, "operator_log", "database_ids"].includes(name)) continue;
    const { rows } = await client.query(`select from ${quoteIdentifier(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return null;
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
