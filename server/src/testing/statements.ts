import { sql } from "kysely";
import pg from "pg";
import { vi } from "vitest";
import { StatementBatch } from "../platform/db/statement-batch.ts";
import type { TestService } from "./test-service.ts";

/** Counts the statements that wait for a lock. */
export async function countLockWaits({ db }: TestService): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

/** Records the statements that this process sends while `run` runs. */
export async function recordStatements(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.flatMap(([statement]) => {
      if ((statement as unknown) instanceof StatementBatch)
        return [...(statement as unknown as StatementBatch).texts];
      return typeof statement === "string" ? statement : (statement as unknown as { text: string }).text;
    });
    // Ignores the timers of all services: job workers and the check of the master keys.
    return statements.filter((statement) => !/_private_|server_processes|master_keys/.test(statement));
  } finally {
    query.mockRestore();
  }
}
