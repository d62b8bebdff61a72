import pg from "pg";
import { isOutage } from "../db/errors.ts";

/** The worker waits and repeats a statement after this code ("cannot connect now"), up to three hours. */
const RETRIED_CODE = "57P03";

/**
 * Gives the errors of an outage a code after which the worker repeats its statement.
 *
 * NOTE: the worker does not wait for the statement that stores the result of a job: another error of it ends the
 * process.
 */
export function retryOutages(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const connectOrRetry = (callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(callback) : retriable(connect(), () => true);
  pool.connect = connectOrRetry as pg.Pool["connect"];
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const result = query(...args);
      return result instanceof Promise ? retriable(result, isOutage) : result;
    }) as pg.PoolClient["query"];
  });
}

async function retriable<T>(result: Promise<T>, isRetried: (error: pg.DatabaseError) => boolean): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Error) || (error instanceof pg.DatabaseError && !isRetried(error))) throw error;
    throw Object.assign(new Error(error.message, { cause: error }), { code: RETRIED_CODE });
  }
}
