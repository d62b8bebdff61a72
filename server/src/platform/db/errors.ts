import pg from "pg";

/**
 * The database cannot be reached, has lost the connection, or cannot store anything. After a lost connection the
 * statement may have been executed.
 */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
  readonly code: string | undefined;
  readonly reason: string;

  constructor(cause: unknown) {
    const { code, message } = cause as Error & { code?: string };
    super(isUnableToStore(code) ? "the database cannot store" : "the database cannot be reached", { cause });
    this.code = code;
    this.reason = message || (code ?? "unknown");
  }
}

/** Another version of the migrations created the database. */
export class OtherSchemaError extends Error {
  override name = "OtherSchemaError";

  constructor(cause: unknown) {
    super("the database has another schema", { cause });
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return hasSqlState(error, /^23505$/);
}

export function isDeadlock(error: unknown): boolean {
  return hasSqlState(error, /^40P01/);
}

/** A lock or a statement took too long, or an operator cancelled it. The transaction is rolled back. */
export function isTimeout(error: unknown): boolean {
  return hasSqlState(error, /^(55P03|57014)$/);
}

export function isTemporary(error: unknown): error is DatabaseUnavailableError | pg.DatabaseError {
  return error instanceof DatabaseUnavailableError || isTimeout(error);
}

/** Includes a full disk, a lack of memory, and a database that became read-only. */
export function isOutage(error: pg.DatabaseError): boolean {
  return hasSqlState(error, /^(08|57P)/) || isUnableToStore(error.code) || isLossOfNode(error);
}

const LOSS_OF_NODE =
  /^(failure on connection marked as essential|could not commit transaction|postmaster was shut down)/;

/** Citus has no code for a transaction that lost a node. It may be committed. */
function isLossOfNode({ code, message }: pg.DatabaseError): boolean {
  return code === "XX000" && LOSS_OF_NODE.test(message);
}

function isUnableToStore(code: string | undefined): boolean {
  return code === "53100" || code === "53200" || code === "25006";
}

function hasSqlState(error: unknown, pattern: RegExp): boolean {
  return error instanceof pg.DatabaseError && pattern.test(error.code ?? "");
}
