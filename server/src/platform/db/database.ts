import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresQueryResult,
  type Transaction,
} from "kysely";
import pg from "pg";
import { SpanKind } from "@opentelemetry/api";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Tables } from "../../registry.ts";
import { inSpan, isTracing } from "../tracing.ts";
import { DatabaseUnavailableError, isOutage } from "./errors.ts";

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

/** Connections of this name may end between two transactions: nothing depends on their sessions. */
export const APPLICATION_NAME = "alcove";

export interface PoolOptions {
  name?: string;
  size?: number;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  connectionTimeoutMs?: number;
  recordWait?: (ms: number) => void;
}

export function connect(url: string, log: Log, options?: PoolOptions): Database {
  const { pool, end } = openPool(url, log, options);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createKyselyPool(pool, end, options?.recordWait) }),
  });
  const close = async () => {
    await db.destroy();
    await end();
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
    connectionTimeoutMillis: connectionTimeoutMs,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
  });
  let ending: Promise<void> | null = null;
  pool.on("error", (error) => {
    // A stopping database may end connections before the pool closes them.
    if (!ending) log.warn({ err: error }, "an idle database connection ended");
  });
  // The statement throws; the event alone must not end the process.
  pool.on("connect", (client) => client.on("error", () => lostClients.add(client)));
  const end = () => (ending ??= pool.end());
  return { pool, end };
}

/** Connections that ended, which can happen before their first statement. */
const lostClients = new WeakSet<pg.ClientBase>();

/** By text. A named statement is prepared once in each connection. */
const statementNames = new Map<string, string>();

/** Names prepared statements, reports outages and waits, and traces. */
function createKyselyPool(
  pool: pg.Pool,
  end: () => Promise<void>,
  recordWait?: (ms: number) => void,
): PostgresPool {
  return {
    options: {},
    end,
    async connect() {
      const startedAt = performance.now();
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error);
      });
      recordWait?.(performance.now() - startedAt);
      const run = async (text: string, values: readonly unknown[]) => {
        try {
          return await inStatementSpan(text, () =>
            client.query({ name: statementNames.get(text), text, values: [...values] }),
          );
        } catch (error) {
          throw isOutageOf(client, error) ? new DatabaseUnavailableError(error) : error;
        }
      };
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query(statement: unknown, values: readonly unknown[] = []): unknown {
        if (typeof statement !== "string") throw new TypeError("this pool has no cursors");
        return run(statement, values);
      }
      return { query, release: (isBroken) => client.release(isBroken) };
    },
  };
}

function isOutageOf(client: pg.ClientBase, error: unknown): boolean {
  return error instanceof pg.DatabaseError ? isOutage(error) : lostClients.has(client);
}

function inStatementSpan<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return run();
  const operation = /^\w+/.exec(text.trimStart())?.[0].toUpperCase() ?? "SQL";
  const attributes = { "db.system.name": "postgresql", "db.query.text": text };
  return inSpan(operation, { kind: SpanKind.CLIENT, attributes }, run);
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
 * Each connection prepares the statement once. It must name its columns: its plan does not survive a change of them.
 */
export async function runPrepared<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  if (!statementNames.has(query.sql)) statementNames.set(query.sql, `prepared_${statementNames.size}`);
  return (await db.executeQuery(query)).rows;
}

/** With `unnest`, one statement text serves any number of rows. */
export function columnsOf<Row extends object>(
  rows: readonly Row[],
): { [Column in keyof Row]: Row[Column][] } {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column])])) as {
    [Column in keyof Row]: Row[Column][];
  };
}
