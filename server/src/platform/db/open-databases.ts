import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { connect, type Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** Searches have their own connections, so that they delay only each other. */
const SEARCH_CONNECTIONS = 6;
/** Keys have their own connections, because transactions wait for keys while they hold a connection. */
const KEY_CONNECTIONS = 8;
const SEARCH_STATEMENT_MS = SECOND_MS;
/** Members see "try again" while a table is locked for longer, such as during its distribution. */
const LOCK_TIMEOUT_MS = 5 * SECOND_MS;

interface Databases {
  readonly main: Database;
  readonly search: Database;
  readonly keys: Database;
  close(): Promise<void>;
}

export async function openDatabases(
  url: string,
  { log, metrics, poolSize }: { log: Log; metrics: Metrics; poolSize: number },
): Promise<Databases> {
  const main = connect(url, log, {
    size: poolSize,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    recordWait: (ms) => metrics.recordDatabaseWait("database", ms),
  });
  await migrate(main, log).catch(async (error: unknown) => {
    await main.close();
    throw error;
  });
  const search = connect(url, log, {
    size: SEARCH_CONNECTIONS,
    statementTimeoutMs: SEARCH_STATEMENT_MS,
    recordWait: (ms) => metrics.recordDatabaseWait("search", ms),
  });
  const keys = connect(url, log, { size: KEY_CONNECTIONS, lockTimeoutMs: LOCK_TIMEOUT_MS });
  return {
    main,
    search,
    keys,
    async close() {
      await search.close();
      await keys.close();
      await main.close();
    },
  };
}
