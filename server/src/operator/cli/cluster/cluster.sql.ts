import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { APPLICATION_NAME, type Db, type Tx } from "../../../platform/db/database.ts";

const DISTRIBUTION = join(import.meta.dirname, "../../../../../deploy/citus.sql");

export const ROLE_SETTINGS = {
  // Without it, `set local lock_timeout` ends at the coordinator.
  "citus.propagate_set_commands": "local",
  // Without it, two batches of messages wait for each other's shards.
  "citus.all_modifications_commutative": "on",
  // One connection to each worker for each of ours.
  "citus.max_adaptive_executor_pool_size": "1",
} as const;

/** Keeps values of parameters and keys out of the logs of all nodes. */
export const LOG_SETTINGS = {
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_statement: "none",
  log_parameter_max_length_on_error: "0",
} as const;

export interface ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  readonly isSynced: boolean;
  readonly hasShards: boolean;
  readonly shards: number;
}

export async function readCitusVersion(db: Db): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  return rows[0]?.version ?? null;
}

export async function isCoordinator(db: Db): Promise<boolean> {
  const { rows } = await sql<{ groupid: number }>`select groupid from pg_dist_local_group`.execute(db);
  return rows[0]?.groupid === 0;
}

export async function readNodes(db: Db): Promise<ClusterNode[]> {
  const { rows } = await sql<ClusterNode>`
    select nodename as name, nodeport as port, groupid = 0 as "isCoordinator", metadatasynced as "isSynced",
      shouldhaveshards as "hasShards",
      (select count(*)::int from pg_dist_placement p where p.groupid = n.groupid) as shards
    from pg_dist_node n where isactive order by groupid`.execute(db);
  return rows;
}

export async function readRole(db: Db): Promise<{ role: string; database: string }> {
  const { rows } = await sql<{ role: string; database: string }>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database`.execute(db);
  return rows[0]!;
}

interface NodeAnswer {
  readonly node: string;
  /** Null if the node does not respond to our role. */
  readonly value: string | null;
}

async function askNodes(db: Db, query: string): Promise<NodeAnswer[]> {
  const { rows } = await sql<NodeAnswer>`
    select coalesce(nodename || ':' || nodeport, 'coordinator') as node, case when success then result end as value
    from run_command_on_all_nodes(${query}) left join pg_dist_node using (nodeid) order by nodeid`.execute(
    db,
  );
  return rows;
}

export async function readSetting(db: Db, name: string): Promise<NodeAnswer[]> {
  return askNodes(db, `select current_setting('${name}')`);
}

/** Citus creates schemas and shards on a node as our role. */
export async function readNodesWithoutRights(db: Db): Promise<string[]> {
  const answers = await askNodes(
    db,
    `select has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create')`,
  );
  return answers.filter(({ value }) => value === "f").map(({ node }) => node);
}

export async function readForeignTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

export async function readUndistributed(db: Db, local: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all(${local})
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** Citus copies settings of a role to the workers only for a superuser, whose copies would collide with these. */
export async function saveRoleSettings(db: Db): Promise<void> {
  const settings = sql.join(
    Object.entries(ROLE_SETTINGS).map(([name, value]) => sql`(${name}::text, ${value}::text)`),
  );
  await sql`
    select run_command_on_all_nodes(format('do $do$ begin
      set local citus.enable_alter_role_set_propagation = off;
      alter role %I in database %I set %s = %L;
    end $do$', current_user, current_database(), name, value))
    from (values ${settings}) settings (name, value)`.execute(db);
}

/** Locks referenced tables too. Waits for at most `limitMs`. */
export async function lockTables(tx: Tx, names: readonly string[], limitMs: number): Promise<void> {
  if (names.length === 0) return;
  const { rows: referred } = await sql<{ name: string }>`
    select distinct confrelid::regclass::text as name from pg_constraint
    where contype = 'f' and conrelid = any(${names}::regclass[])`.execute(tx);
  const all = new Set([...names, ...referred.map(({ name }) => name)]);
  await sql.raw(`set local statement_timeout = ${limitMs}`).execute(tx);
  await sql`lock table ${sql.join([...all].map((name) => sql.table(name)))} in access exclusive mode`.execute(
    tx,
  );
  await sql`set local statement_timeout = 0`.execute(tx);
}

export async function distributeTables(tx: Tx): Promise<void> {
  await sql.raw(readFileSync(DISTRIBUTION, "utf8")).execute(tx);
}

export async function hasRoleSettings(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, setting as value from pg_settings where name = any(${Object.keys(ROLE_SETTINGS)})`.execute(
    db,
  );
  const values: Record<string, string> = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  return Object.entries(ROLE_SETTINGS).every(([name, wanted]) => values[name] === wanted);
}

export async function readConnectedAt(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select backend_start::text as at from pg_stat_activity where pid = pg_backend_pid()`.execute(db);
  return rows[0]!.at;
}

export async function endIdleConnections(db: Db, before: string): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*) filter (where state <> 'idle' or not pg_terminate_backend(pid))::int as busy
    from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = ${APPLICATION_NAME}
      and backend_start < ${before}::timestamptz`.execute(db);
  return rows[0]!.busy;
}
