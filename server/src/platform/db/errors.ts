import pg from "pg";

/** The database cannot be reached, or the connection was lost. The statement may have been executed. */
export class DatabaseUnreachableError extends Error {
  override name = "DatabaseUnreachableError";
  readonly code: string | undefined;
  readonly reason: string;

  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
    const { code, message } = cause as Error & { code?: string };
    this.code = code;
    this.reason = message || (code ?? "unknown");
  }
}

/** The database was created by another version of the migrations. */
export class OtherSchemaError extends Error {
  override name = "OtherSchemaError";

  constructor(cause: unknown) {
    super("the database has another schema", { cause });
  }
}

export function isDeadlock(error: unknown): boolean {
  return hasSqlState(error, /^40P01/);
}

/**
 * Returns whether the transaction is certainly rolled back. After other errors, such as a lost connection, it may be
 * committed.
 */
export function isRolledBack(error: unknown): boolean {
  return hasSqlState(error, /^(22|23|40|55|57014)/);
}

export function isConnectionEnd(error: pg.DatabaseError): boolean {
  return hasSqlState(error, /^(08|57P)/);
}

function hasSqlState(error: unknown, pattern: RegExp): boolean {
  return error instanceof pg.DatabaseError && pattern.test(error.code ?? "");
}
