import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "./log.ts";

/** All tables by name. Each feature adds its own in its `tables.ts` by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by the features
export interface Tables {}

/** The database, or a transaction in it: what every function of a `*.sql.ts` file takes. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

// Our whole numbers stay far below 2^53, and a calendar date has no time zone to be read in.
const INT8 = 20;
const DATE = 1082;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return Number;
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

interface PoolWishes {
  size?: number;
  /** No statement of the pool runs longer. */
  statementMs?: number;
}

/** Opens a pool on the database at `url`. A connection that the server ends is logged, not fatal. */
export function connect(url: string, log: Log, { size = 20, statementMs }: PoolWishes = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: "alcove",
    Client: PlanningClient,
    ...(statementMs !== undefined && { statement_timeout: statementMs }),
  });
  let isClosing = false;
  pool.on("error", (error) => {
    // The pool does not wait for its goodbyes to arrive: a database that stops next may be quicker than they are.
    if (!isClosing) log.warn({ err: error }, "an idle database connection ended");
  });
  // While a connection is in use its query fails and tells; the event alone must not end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    isClosing = true;
    return db.destroy();
  };
  return { db, pool, url, close };
}

/** The statements that `runPlanned` has met, and their names: as many as there are in the code. */
const planned = new Map<string, string>();

/**
 * Runs a statement that comes again and again, which each connection plans once. For statements that name their columns:
 * a plan does not outlive a change of what it answers.
 */
export async function runPlanned<Row>(db: Db, statement: CompiledQuery<Row>): Promise<Row[]> {
  if (!planned.has(statement.sql)) planned.set(statement.sql, `planned_${planned.size}`);
  return (await db.executeQuery(statement)).rows;
}

/** Gives planned statements their names on the way to the database. */
class PlanningClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- one function with all of the driver's forms
  override query(statement: any, ...rest: any[]): any {
    const name = typeof statement === "string" ? planned.get(statement) : undefined;
    if (name === undefined) return super.query(statement, ...(rest as []));
    const [values, ...others] = rest;
    return super.query({ name, text: statement, values }, ...(others as []));
  }
}

/** Whether a transaction was ended because it and another waited for each other: it may be tried again as a whole. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}
