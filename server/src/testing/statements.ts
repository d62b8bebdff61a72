import pg from "pg";
import { vi } from "vitest";

/** Records the statements that this process sends while `run` runs. */
export async function recordStatements(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.map(([statement]) => {
      return typeof statement === "string" ? statement : (statement as unknown as { text: string }).text;
    });
    // Ignores the job workers of other services.
    return statements.filter((statement) => !statement.includes("_private_"));
  } finally {
    query.mockRestore();
  }
}
