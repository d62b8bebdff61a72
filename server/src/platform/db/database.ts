import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Tables } from "../../registry.ts";
import { batchOf, CorkableClient, PipelinedDialect, prepared } from "./pipelined-dialect.ts";

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

// Our integers stay far below 2^53, and a calendar date has no time zone.
const INT8 = 20;
const DATE = 1082;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return Number;
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** Each connection of this name may end between two transactions: nothing depends on its session. */
export const APPLICATION_NAME = "alcove";

export interface PoolOptions {
  /** Its connections' name in the database. */
  name?: string;
  size?: number;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  connectionTimeoutMs?: number;
  /** Called with the time until a statement or transaction has a connection. */
  recordWait?: (ms: number) => void;
}

export function connect(url: string, log: Log, options?: PoolOptions): Database {
  const { pool, end } = openPool(url, log, options);
  const take = async () => {
    const startedAt = performance.now();
    const client = await pool.connect();
    options?.recordWait?.(performance.now() - startedAt);
    return client;
  };
  const db = new Kysely<Tables>({ dialect: new PipelinedDialect({ connect: take, end }) });
  const close = async () => {
    await db.destroy();
    await end(); // Kysely ends only a pool that it has used
  };
  return { db, pool, url, close };
}

function openPool(
  url: string,
  log: Log,
  {
    name = APPLICATION_NAME,
    size = 20,
    statementTimeoutMs,
    lockTimeoutMs,
    connectionTimeoutMs = 20 * SECOND_MS,
  }: PoolOptions = {},
): { pool: pg.Pool; end(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: name,
    Client: CorkableClient,
    pipeline: true,
    connectionTimeoutMillis: connectionTimeoutMs,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
  });
  let ending: Promise<void> | null = null;
  pool.on("error", (error) => {
    // The pool does not wait until its connections are closed: a stopping database may end them first.
    if (!ending) log.warn({ err: error }, "an idle database connection ended");
  });
  // The statement throws; the event alone must not end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const end = () => (ending ??= pool.end());
  return { pool, end };
}

/** For statements that a pool cannot run, such as `copy`. */
export async function connectAlone(url: string) {
  const client = new pg.Client({ connectionString: url, types, application_name: "alcove alone" });
  await client.connect();
  const pool = {
    options: {},
    connect: async () => Object.assign(client, { release: () => undefined }),
    end: () => client.end(),
  };
  return {
    client,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    close: () => client.end(),
  };
}

/**
 * Runs a statement that each connection prepares once. It must name its columns: its plan does not survive a change
 * of them.
 */
export async function runPrepared<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(prepared(query))).rows;
}

/** Builds a statement's text once. The arguments are its parameters, in this order. */
export function compileOnce<Parameters extends readonly unknown[], Row>(
  build: (db: Db, ...parameters: Parameters) => CompiledQuery<Row>,
): (db: Db, ...parameters: Parameters) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | null = null;
  return (db, ...parameters) => {
    if (compiled) return { ...compiled, parameters };
    const first = build(db, ...parameters);
    const isInOrder = first.parameters.every((value, i) => value === parameters[i]);
    if (!isInOrder || first.parameters.length !== parameters.length)
      throw new Error(`the parameters differ from the arguments: ${first.sql}`);
    compiled = { ...first, parameters: [] };
    return first;
  };
}

/** The same for `values` of several rows, with a text for each number of rows. */
export function compileValuesOnce<Row extends object>(
  columns: readonly (keyof Row)[],
  build: (db: Db, rows: readonly Row[]) => CompiledQuery,
): (db: Db, rows: readonly Row[]) => CompiledQuery {
  const byCount = new Map<number, (db: Db, ...parameters: readonly unknown[]) => CompiledQuery>();
  return (db, rows) => {
    const compile = byCount.get(rows.length) ?? compileOnce(() => build(db, rows));
    byCount.set(rows.length, compile);
    return compile(db, ...rows.flatMap((row) => columns.map((column) => row[column])));
  };
}

/** For statements that do not need each other's results: one round trip. */
export async function runPipelined<Rows extends readonly unknown[]>(
  tx: Db | Tx,
  queries: { readonly [At in keyof Rows]: CompiledQuery<Rows[At]> },
): Promise<{ [At in keyof Rows]: Rows[At][] }> {
  const { rows } = await tx.executeQuery(batchOf(queries as readonly CompiledQuery[]));
  return rows as { [At in keyof Rows]: Rows[At][] };
}

/**
 * Sends statements with the transaction's next one or its commit, which then throws their error. Returns a function
 * that reads their rows.
 */
export async function runDeferred<Row>(
  tx: Tx,
  ...queries: readonly CompiledQuery<Row>[]
): Promise<() => Promise<Row[][]>> {
  const { rows } = await tx.executeQuery(batchOf(queries, { isDeferred: true }));
  return async () => {
    const results = await Promise.all(rows as readonly Promise<{ rows: Row[] }>[]);
    return results.map((result) => result.rows);
  };
}

/**
 * Splits rows into parts of 32, 16, 8, 4, 2 and 1 rows, so that `values` of any number need few statement texts. On Citus,
 * `values` take a twelfth of the time of `unnest`.
 */
export function inPowersOfTwo<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (let at = 0; at < rows.length; at += parts.at(-1)!.length) {
    const size = Math.min(32, 2 ** Math.floor(Math.log2(rows.length - at)));
    parts.push(rows.slice(at, at + size));
  }
  return parts;
}

/** Turns rows into one array for each column. With `unnest`, one statement text serves any number of rows. */
export function columnsOf<Row extends object>(
  rows: readonly Row[],
): { [Column in keyof Row]: Row[Column][] } {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column])])) as {
    [Column in keyof Row]: Row[Column][];
  };
}
