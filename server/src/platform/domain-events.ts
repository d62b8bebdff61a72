import type { DomainEventPayloads } from "../registry.ts";
import type { Tx } from "./db/database.ts";

type AfterCommit = () => void;

type Handler<Name extends keyof DomainEventPayloads> = (
  tx: Tx,
  event: DomainEventPayloads[Name],
) => Promise<void | AfterCommit>;

export class DomainEvents {
  readonly #handlers = new Map<string, Handler<never>[]>();

  on<Name extends keyof DomainEventPayloads>(name: Name, handler: Handler<Name>): void {
    const handlers = this.#handlers.get(name) ?? [];
    handlers.push(handler);
    this.#handlers.set(name, handlers);
  }

  get names(): string[] {
    return [...this.#handlers.keys()];
  }

  /** Returns a callback that the caller must run after the commit, and only then. */
  async emit<Name extends keyof DomainEventPayloads>(
    tx: Tx,
    name: Name,
    event: DomainEventPayloads[Name],
  ): Promise<AfterCommit> {
    const callbacks: AfterCommit[] = [];
    for (const handler of this.#handlers.get(name) ?? []) {
      const callback = await (handler as Handler<Name>)(tx, event);
      if (callback) callbacks.push(callback);
    }
    return () => callbacks.forEach((callback) => callback());
  }
}
