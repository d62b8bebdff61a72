import pg from "pg";
import { isOutage } from "../db/errors.ts";

/** The worker repeats a statement after this code ("cannot connect now"), up to three hours. */
const RETRIED_CODE = "57P03";

/**
 * Gives the errors of an outage that code.
 *
 * NOTE: the worker does not wait for the statement that stores the result of a job: another error of it ends the
 * process.
 */
export class OutageRetries {
  #isOut = false;
  #isStopping = false;
  #outageAtStop = Promise.withResolvers<void>();

  constructor(pool: pg.Pool) {
    const connect = pool.connect.bind(pool);
    const connectOrRetry = (callback?: Parameters<typeof connect>[0]) => {
      if (callback) return connect(callback);
      // A repeat after the stop; its error would end the process.
      if (pool.ending) return new Promise(() => undefined);
      return this.#retriable(connect(), () => true);
    };
    pool.connect = connectOrRetry as pg.Pool["connect"];
    pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const result = query(...args);
        return result instanceof Promise ? this.#retriable(result, isOutage) : result;
      }) as pg.PoolClient["query"];
    });
  }

  /** Resolves when the worker cannot stop because of an outage. */
  stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#isOut) this.#outageAtStop.resolve();
    return this.#outageAtStop.promise;
  }

  async #retriable<T>(result: Promise<T>, isRetried: (error: pg.DatabaseError) => boolean): Promise<T> {
    try {
      const value = await result;
      this.#isOut = false;
      return value;
    } catch (error) {
      if (!(error instanceof Error) || (error instanceof pg.DatabaseError && !isRetried(error))) throw error;
      this.#isOut = true;
      if (this.#isStopping) this.#outageAtStop.resolve();
      throw Object.assign(new Error(error.message, { cause: error }), { code: RETRIED_CODE });
    }
  }
}
