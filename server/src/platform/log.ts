import { pino, type Logger } from "pino";

export type Log = Logger;

/**
 * Opens the structured log (one JSON object a line on standard output).
 *
 * What is logged holds no e-mail, token, code, position, text or image name: requests appear by route, not by
 * address, and errors without the values that a database quotes in its `detail`.
 */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // What the parsers of forms and sockets say on their own: the headers of a request, an address with its query.
    redact: { paths: ["busboyOptions", "path"], remove: true },
    serializers: { err: describeError },
  });
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    table,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
