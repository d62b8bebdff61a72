import pg from "pg";
import { vi } from "vitest";

/** The statements that this process sends to the database while something happens. */
export async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.map(([statement]) => {
      return typeof statement === "string" ? statement : (statement as unknown as { text: string }).text;
    });
    // The workers of other tests' services look for jobs at their own times.
    return statements.filter((statement) => !statement.includes("_private_"));
  } finally {
    query.mockRestore();
  }
}
