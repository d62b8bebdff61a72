import { CallError } from "@alcove/test-services/client";

/** Counts requests, acknowledgements and errors by kind of load. */
export class Tally {
  readonly #requests = new Map<string, { requests: number; acknowledged: number }>();
  readonly errors = new Map<string, number>();

  async count<T>(kind: string, request: () => Promise<T>): Promise<T> {
    const counts = this.#requests.get(kind) ?? { requests: 0, acknowledged: 0 };
    this.#requests.set(kind, counts);
    counts.requests++;
    try {
      const response = await request();
      counts.acknowledged++;
      return response;
    } catch (error) {
      const code = codeOf(error);
      this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
      throw error;
    }
  }

  rows(): string[][] {
    return [...this.#requests].map(([kind, { requests, acknowledged }]) => [
      kind,
      String(requests),
      String(acknowledged),
    ]);
  }
}

/** The API's code, or that of the connection. */
function codeOf(error: unknown): string {
  if (error instanceof CallError)
    return (error.body["code"] as string | undefined) ?? `status ${error.status}`;
  const { name, cause } = error as Error & { cause?: { code?: string; errors?: { code?: string }[] } };
  return cause?.code ?? cause?.errors?.[0]?.code ?? name;
}
