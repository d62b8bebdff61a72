import pg from "pg";

export interface BatchedStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The part of pg's connection that the types do not describe. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { text: string; name: string }): void;
  bind(portal: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  describe(target: { type: "P"; name: string }): void;
  execute(portal: { portal: string }): void;
  sync(): void;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * Runs statements with one Sync, so that the database responds once, after the last one. It skips those after a failed one.
 *
 * pg collects the results of its statements as for a text with semicolons.
 */
export class StatementBatch extends pg.Query {
  readonly statements: readonly BatchedStatement[];

  constructor(statements: readonly BatchedStatement[]) {
    super({ text: "" });
    this.statements = statements;
  }

  override submit = (connection: pg.Connection): null => {
    const wire = connection as unknown as Wire;
    for (const { name = "", text, values } of this.statements) {
      if (name === "") wire.parse({ text, name });
      wire.bind({ statement: name, values, valueMapper: prepareValue });
      wire.describe({ type: "P", name: "" });
      wire.execute({ portal: "" });
    }
    wire.sync();
    return null;
  };
}

/**
 * Returns whether these can run as a batch: at least two, the named ones prepared in this connection. A text without
 * parameters may contain several statements, which the extended protocol rejects.
 */
export function canBatch(client: pg.ClientBase, statements: readonly BatchedStatement[]): boolean {
  const { parsedStatements } = (client as unknown as { connection: Wire }).connection;
  return (
    statements.length > 1 &&
    statements.every(({ name, text, values }) =>
      name === undefined ? values.length > 0 : parsedStatements[name] === text,
    )
  );
}

export async function runBatch(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
): Promise<pg.QueryResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult[]>();
  const batch = new StatementBatch(statements);
  batch.once("end", (results) => resolve(results as unknown as pg.QueryResult[]));
  batch.once("error", reject);
  client.query(batch);
  try {
    return await promise;
  } catch (error) {
    // The stack of the caller instead of the socket's.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
