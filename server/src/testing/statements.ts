import { sql } from "kysely";
import pg from "pg";
import { vi } from "vitest";
import { CLUSTER } from "./cluster-database.ts";
import type { TestService } from "./test-service.ts";

const LOCK_WAITS =
  "select count(*)::int4 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** On a cluster, locks of rows are on its workers. */
export async function countLockWaits({ db }: TestService): Promise<number> {
  const counted =
    CLUSTER.length === 0
      ? sql<{ waits: number }>`${sql.raw(LOCK_WAITS)}`
      : sql<{ waits: number }>`
          select sum(result::int4)::int4 as waits from run_command_on_all_nodes(${LOCK_WAITS})`;
  return (await counted.execute(db)).rows[0]!.waits;
}

export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface SentStatement extends RecordedStatement {
  readonly port: number;
  readonly database: string | undefined;
}

/** Of all services of the process, or of one, without the jobs of the others. */
export async function recordStatements(act: () => Promise<unknown>, of?: TestService): Promise<string[]> {
  const sent = await recordStatementsWithValues(act);
  const wanted = of && new URL(of.databaseUrl).pathname.slice(1);
  return sent.flatMap(({ text, database }) => (wanted === undefined || database === wanted ? text : []));
}

export async function recordStatementsWithValues(act: () => Promise<unknown>): Promise<SentStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.flatMap(([sent, given], i): readonly SentStatement[] => {
      const { port, database } = query.mock.contexts[i] as pg.Client;
      const statement = sent as unknown;
      if (typeof statement === "string")
        return [{ text: statement, values: (given as unknown[] | undefined) ?? [], port, database }];
      const { text, values = [] } = statement as { text: string; values?: unknown[] };
      return [{ text, values, port, database }];
    });
    // Ignores the timers of all services: job workers and the check of the master keys.
    return statements.filter(
      ({ text }) => !/_private_|graphile_worker\.jobs|server_processes|master_keys/.test(text),
    );
  } finally {
    query.mockRestore();
  }
}
