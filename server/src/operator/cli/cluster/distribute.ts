import { setTimeout as wait } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../../platform/clock.ts";
import type { Db } from "../../../platform/db/database.ts";
import { isTimeout } from "../../../platform/db/errors.ts";
import { OperatorError } from "../command-line.ts";
import * as rows from "./cluster.sql.ts";
import { LOCAL_TABLES } from "./problems.ts";

/** Below `deadlock_timeout`: after it, the database would end a member's transaction. */
const LOCKS_MS = 0.8 * SECOND_MS;
/** In the order of the members' transactions. A request begins with its session. */
const LOCKED_FIRST = ["sessions", "members", "conversations"];
const PAUSE_MS = SECOND_MS;
const ATTEMPTS_MS = 5 * MINUTE_MS;
/** Connections with old settings may stay busy so long. */
const BUSY_MS = 10 * SECOND_MS;

/**
 * One transaction: members see either all tables distributed or none. Their requests wait meanwhile, or get
 * `service_unavailable`. Returns false if all tables were distributed.
 */
export async function distributeTables(db: Db, attemptsMs = ATTEMPTS_MS): Promise<boolean> {
  const until = performance.now() + attemptsMs;
  for (;;) {
    try {
      return await db.transaction().execute(async (tx) => {
        const left = new Set(await rows.readUndistributed(tx, LOCAL_TABLES));
        const isNeeded = left.size > 0;
        const first = LOCKED_FIRST.filter((name) => left.delete(name));
        await rows.lockTables(tx, [...first, ...left], LOCKS_MS);
        await rows.distributeTables(tx);
        return isNeeded;
      });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (performance.now() > until)
        throw new OperatorError("Other transactions hold the tables: end them, and run the command again.");
      await wait(PAUSE_MS);
    }
  }
}

/** Older connections of the servers lack the settings of the role. */
export async function renewConnections(db: Db): Promise<void> {
  const before = await rows.readConnectedAt(db);
  const until = performance.now() + BUSY_MS;
  while ((await rows.endIdleConnections(db, before)) > 0 && performance.now() < until) await wait(PAUSE_MS);
}
