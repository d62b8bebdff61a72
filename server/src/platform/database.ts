import { Kysely, PostgresDialect, type Transaction } from "kysely";
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

/** Opens a pool on the database at `url`. A connection that the server ends is logged, not fatal. */
export function connect(url: string, log: Log, size = 20): Database {
  const pool = new pg.Pool({ connectionString: url, max: size, types, application_name: "alcove" });
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

/** Whether a transaction was ended because it and another waited for each other: it may be tried again as a whole. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}
