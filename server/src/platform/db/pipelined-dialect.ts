import { Socket } from "node:net";
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import { SpanKind } from "@opentelemetry/api";
import { DatabaseUnavailableError, isOutage } from "./errors.ts";
import { arrayLiteral } from "./pg-array.ts";
import { type BatchedStatement, canBatch, runBatch } from "./statement-batch.ts";
import { inSpan, isTracing } from "../tracing.ts";

/** A statement for the driver. A named one is prepared once in each connection. */
interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string;
}

type Result = Pick<pg.QueryResult, "command" | "rowCount" | "rows">;

interface Batch extends CompiledQuery {
  readonly statements: readonly Statement[];
  readonly isDeferred: boolean;
}

const statementNames = new Map<string, string>();

export function prepared<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, name: nameOf(query.sql) } as CompiledQuery<Row>;
}

function nameOf(sql: string): string {
  const name = statementNames.get(sql) ?? `prepared_${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

function controlStatement(sql: string): Statement {
  return { sql, parameters: [], name: nameOf(sql) };
}

export function batchOf(queries: readonly CompiledQuery[], { isDeferred = false } = {}): Batch {
  return { ...CompiledQuery.raw("-- batch"), statements: queries.map(prepared), isDeferred };
}

export interface ConnectionSource {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

/**
 * Sends `begin` with a transaction's first statement, deferred statements with the next one, and a batch in one
 * packet.
 */
export class PipelinedDialect implements Dialect {
  readonly #pool: ConnectionSource;

  constructor(pool: ConnectionSource) {
    this.#pool = pool;
  }

  createDriver = (): Driver => new PipelinedDriver(this.#pool);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  // oxlint-disable-next-line typescript/no-explicit-any -- Kysely's own signature
  createIntrospector = (db: Kysely<any>) => new PostgresIntrospector(db);
}

/** Its socket can be corked, so that several statements leave in one packet. */
export class CorkableClient extends pg.Client {
  readonly socket: Socket;
  /** Whether the connection ended, which can happen before its first statement. */
  isLost = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.once("error", () => (this.isLost = true));
  }
}

class PipelinedDriver implements Driver {
  readonly #pool: ConnectionSource;
  readonly #connections = new WeakMap<pg.PoolClient, PipelinedConnection>();

  constructor(pool: ConnectionSource) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PipelinedConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailableError(error);
    });
    const connection = this.#connections.get(client) ?? new PipelinedConnection(client);
    this.#connections.set(client, connection);
    return connection;
  }

  async beginTransaction(connection: PipelinedConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : "";
    connection.begin(`begin${level}${accessMode ? ` ${accessMode}` : ""}`);
  }

  async commitTransaction(connection: PipelinedConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PipelinedConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: PipelinedConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

interface Deferred {
  readonly statement: Statement;
  resolve(sent: Promise<Result>): void;
}

class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #deferred: Deferred[] = [];
  #hasStarted = false;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!isBatch(query)) return presentResult(await this.#sendLast(query));
    if (query.isDeferred) return { rows: query.statements.map((one) => this.#defer(one)) as Row[] };
    const results = await this.#send(query.statements);
    return { rows: results.slice(-query.statements.length).map(({ rows }) => rows) as Row[] };
  }

  streamQuery(): never {
    throw new Error("this driver does not stream results");
  }

  begin(sql: string): void {
    this.#hasStarted = false;
    void this.#defer(controlStatement(sql));
  }

  async commit(): Promise<void> {
    const { command } = await this.#sendLast(controlStatement("commit"));
    if (command === "ROLLBACK") throw new AbortedTransactionError();
  }

  async rollback(): Promise<void> {
    this.#deferred = [];
    if (!this.#hasStarted) return;
    try {
      await this.#sendLast({ sql: "rollback", parameters: [] });
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  #defer(statement: Statement): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#deferred.push({ statement, resolve });
    promise.catch(() => undefined); // the next statement of the transaction reports the error
    return promise;
  }

  async #sendLast(statement: Statement): Promise<Result> {
    return (await this.#send([statement])).at(-1)!;
  }

  /** Sends deferred statements and these in one packet. Throws the first error after all responses. */
  async #send(statements: readonly Statement[]): Promise<Result[]> {
    const deferred = this.#deferred.splice(0);
    this.#hasStarted = true;
    const socket = this.#client instanceof CorkableClient ? this.#client.socket : null;
    socket?.cork();
    const sent = this.#queryAll([...deferred.map(({ statement }) => statement), ...statements]);
    socket?.uncork();
    deferred.forEach(({ resolve }, i) => resolve(sent[i]!));

    const results = await Promise.allSettled(sent);
    return results.map((result) => {
      if (result.status === "fulfilled") return result.value;
      throw this.#isOutageError(result.reason) ? new DatabaseUnavailableError(result.reason) : result.reason;
    });
  }

  #queryAll(statements: readonly Statement[]): Promise<Result>[] {
    const batch = statements.map(toBatched);
    if (!canBatch(this.#client, batch))
      return statements.map((statement, i) => inStatementSpan(statement, () => this.#query(batch[i]!)));
    const all = runBatch(this.#client, batch);
    return statements.map((statement, i) => inStatementSpan(statement, async () => (await all)[i]!));
  }

  #query({ name, text, values }: BatchedStatement): Promise<Result> {
    if (name === undefined) return this.#client.query(text, values.length > 0 ? [...values] : undefined);
    return this.#client.query({ name, text, values: [...values] });
  }

  #isOutageError(error: unknown): boolean {
    if (error instanceof pg.DatabaseError) return isOutage(error);
    return this.#client instanceof CorkableClient && this.#client.isLost;
  }
}

function toBatched({ sql: text, parameters, name }: Statement): BatchedStatement {
  if (name === undefined) return { name, text, values: parameters };
  return {
    name,
    text,
    values: parameters.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value)),
  };
}

function inStatementSpan(statement: Statement, run: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return run();
  const operation = /^\w+/.exec(statement.sql.trimStart())?.[0].toUpperCase() ?? "SQL";
  const attributes = { "db.system.name": "postgresql", "db.query.text": statement.sql };
  return inSpan(operation, { kind: SpanKind.CLIENT, attributes }, run);
}

function isBatch(query: CompiledQuery): query is Batch {
  return "statements" in query;
}

function presentResult<Row>({ command, rowCount, rows }: Result): QueryResult<Row> {
  const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command);
  return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] };
}
