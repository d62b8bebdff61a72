import type { Writable } from "node:stream";
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely";
import pg from "pg";
import { arrayText } from "./pg-array.ts";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Tables } from "../../registry.ts";

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

/**
 * The database could not be reached, or the way to it was lost: nothing is wrong with what was asked, and `cause` says how.
 * What was being done may have been done.
 */
export class DatabaseUnreachableError extends Error {
  override name = "DatabaseUnreachable";
  /** The system's or the database's own, as far as there is one. */
  readonly code: string | undefined;
  readonly reason: string;

  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
    const { code, message } = cause as Error & { code?: string };
    this.code = code;
    this.reason = message || (code ?? "unknown");
  }
}

const CONNECTION_MS = 20 * SECOND_MS;

interface PoolWishes {
  size?: number;
  /** No statement of the pool runs longer. */
  statementMs?: number;
  /** How long anybody waits for a connection, whether there is none yet or all are in use. */
  connectionMs?: number;
}

/** Opens a pool on the database at `url`. A connection that the server ends is logged, not fatal. */
export function connect(
  url: string,
  log: Log,
  { size = 20, statementMs, connectionMs = CONNECTION_MS }: PoolWishes = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: "alcove",
    Client: PlanningClient,
    pipeline: true,
    connectionTimeoutMillis: connectionMs,
    ...(statementMs !== undefined && { statement_timeout: statementMs }),
  });
  let isClosing = false;
  pool.on("error", (error) => {
    // The pool does not wait for its goodbyes to arrive: a database that stops next may be quicker than they are.
    if (!isClosing) log.warn({ err: error }, "an idle database connection ended");
  });
  // While a connection is in use its query fails and tells; the event alone must not end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const reached: PostgresPool = {
    options: pool.options,
    connect: () =>
      pool.connect().catch((error: unknown) => {
        throw new DatabaseUnreachableError(error);
      }),
    end: () => pool.end(),
  };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reached }) });
  const close = () => {
    isClosing = true;
    return db.destroy();
  };
  return { db, pool, url, close };
}

/**
 * One connection, in both its forms: for statements that the pool cannot run, such as `copy`. It ends at once, and what
 * it was doing with it.
 */
export async function connectAlone(url: string) {
  const client = new pg.Client({ connectionString: url, types, application_name: "alcove" });
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

/** The statements that are planned once a connection, and their names: as many as there are in the code. */
const planned = new Map<string, string>();

/** What stands in place of a statement's text when several go out as one, and when one waits for the next. */
const TOGETHER = "-- together";
const LATER = "-- later";

/**
 * Runs a statement that comes again and again, which each connection plans once. For statements that name their columns:
 * a plan does not outlive a change of what it answers.
 */
export async function runPlanned<Row>(db: Db, statement: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(nameOnce(statement))).rows;
}

/**
 * Runs statements of a transaction one after the other, sent in one go: for those that need nothing of the answers
 * before them. Each is planned once a connection.
 */
export async function runTogether<Rows extends readonly unknown[]>(
  tx: Tx,
  statements: { readonly [At in keyof Rows]: CompiledQuery<Rows[At]> },
): Promise<{ [At in keyof Rows]: Rows[At][] }> {
  const parameters = (statements as readonly CompiledQuery[]).map(nameOnce);
  const { rows } = await tx.executeQuery({ ...CompiledQuery.raw(TOGETHER), parameters });
  return rows as { [At in keyof Rows]: Rows[At][] };
}

/**
 * Leaves a statement to be sent with the transaction's next one, or with its commit. If it fails, the next one does. Answers
 * what reads its rows, once that next one is done. It is planned once a connection.
 */
export async function runLater<Row>(tx: Tx, statement: CompiledQuery<Row>): Promise<() => Promise<Row[]>> {
  const left = { ...CompiledQuery.raw(LATER), parameters: [nameOnce(statement)] };
  const [answer] = (await tx.executeQuery(left)).rows as [Promise<Answer>];
  return async () => (await answer).rows as Row[];
}

/** Rows as an array of each column, which `unnest` makes rows of again: one text of a statement for any number of them. */
export function columnsOf<Row extends object>(
  rows: readonly Row[],
): { [Column in keyof Row]: Row[Column][] } {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column])])) as {
    [Column in keyof Row]: Row[Column][];
  };
}

function nameOnce<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!planned.has(statement.sql)) planned.set(statement.sql, `planned_${planned.size}`);
  return statement;
}

type Statement = Pick<CompiledQuery, "sql" | "parameters">;

/** A statement that waits to be sent, and what hears of its answer. */
interface Held {
  readonly statement: Statement;
  readonly answer: (sent: Promise<Answer>) => void;
}

const BEGIN: Statement = { sql: "begin", parameters: [] };

/**
 * Gives planned statements their names on the way to the database, and sends what need not wait for each other in one
 * go: the beginning of a transaction with its first statement, `runLater`'s with the next, `runTogether`'s at once.
 */
class PlanningClient extends pg.Client {
  /** What goes out before the next statement. */
  #held: Held[] = [];
  /** The connection has ended by itself. */
  #isLost = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.once("error", () => (this.#isLost = true));
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- one function with all of the driver's forms
  override query(statement: any, ...rest: any[]): any {
    const [values, ...others] = rest;
    const isPlain = typeof statement === "string" && typeof values !== "function" && others.length === 0;
    if (isPlain) {
      return this.#run(statement, values as unknown[] | undefined).catch((error: unknown) => {
        throw this.#isOfConnection(error) ? new DatabaseUnreachableError(error) : error;
      });
    }
    // A form of the driver's own: what is held goes out just before it, and tells by its failure.
    for (const one of this.#held.splice(0)) void this.#sendHeld(one).catch(() => undefined);
    return super.query(statement, ...(rest as []));
  }

  #run(statement: string, values: unknown[] | undefined): Promise<Answer | undefined> {
    if (statement === BEGIN.sql) return answerOf("BEGIN", [this.#hold(BEGIN)]);
    if (statement === LATER) return answerOf("SELECT", [this.#hold((values as [Statement])[0])]);
    if (statement === TOGETHER) return this.#sendTogether(values as Statement[]);
    if (statement === "rollback" && this.#held.splice(0)[0]?.statement === BEGIN) return answerOf("ROLLBACK");
    const plain = { sql: statement, parameters: values ?? [] };
    if (this.#held.length > 0) return this.#sendAll([plain]).then((answers) => answers.at(-1));
    return planned.has(statement) ? this.#send(plain) : super.query(statement, values);
  }

  /** Classes 08 and 57P of SQLSTATE are the database's own words for it; the driver has none in common. */
  #isOfConnection(error: unknown): boolean {
    return error instanceof pg.DatabaseError ? /^(08|57P)/.test(error.code ?? "") : this.#isLost;
  }

  /** Answers what the statement will have answered. */
  #hold(statement: Statement): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#held.push({ statement, answer: resolve });
    promise.catch(() => undefined); // told by what goes out with it
    return promise;
  }

  async #sendTogether(statements: readonly Statement[]): Promise<Answer> {
    const answers = await this.#sendAll(statements);
    return {
      command: "SELECT",
      rowCount: null,
      rows: answers.slice(-statements.length).map(({ rows }) => rows),
    };
  }

  /** Sends what is held, and then these, in one go; fails with the first of them that fails, when all are answered. */
  async #sendAll(statements: readonly Statement[]): Promise<Answer[]> {
    const held = this.#held.splice(0);
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    const sent = [...held.map((one) => this.#sendHeld(one)), ...statements.map((one) => this.#send(one))];
    stream.uncork();
    const answers = await Promise.allSettled(sent);
    return answers.map((answer) => {
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    });
  }

  #sendHeld({ statement, answer }: Held): Promise<Answer> {
    const sent = this.#send(statement);
    answer(sent);
    return sent;
  }

  #send({ sql: text, parameters }: Statement): Promise<Answer> {
    const name = planned.get(text);
    const written = parameters.map((value) => (Array.isArray(value) ? arrayText(value) : value));
    const values = written.length > 0 || name !== undefined ? written : undefined;
    return super.query({ text, ...(name !== undefined && { name }), ...(values && { values }) });
  }
}

/** What the driver answers, as far as it is read here. */
type Answer = Pick<pg.QueryResult, "command" | "rowCount" | "rows">;

function answerOf(command: string, rows: unknown[] = []): Promise<Answer> {
  return Promise.resolve({ command, rowCount: null, rows });
}

/** Whether a transaction was ended because it and another waited for each other: it may be tried again as a whole. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}

/**
 * Whether a transaction was refused by the database for what it held or waited for (SQLSTATE classes 22, 23, 40 and 55, and
 * 57014 for a statement that was ended), and so is undone for certain. After other failures, such as a lost connection,
 * it may be committed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40|55|57014)/.test(error.code ?? "");
}
