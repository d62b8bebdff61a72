import type { Tx } from "./db/database.ts";
import type { DomainEventPayloads } from "../registry.ts";

/** What is to be told once the transaction is committed; never called when it is not. */
type Afterwards = () => void;

type Follow<Name extends keyof DomainEventPayloads> = (
  tx: Tx,
  what: DomainEventPayloads[Name],
) => Promise<void | Afterwards>;

/**
 * Lets features follow each other's acts without knowing each other: whoever deletes a member says so here, and each
 * feature removes its own rows in the same transaction.
 */
export class DomainEvents {
  readonly #follows = new Map<string, Follow<never>[]>();

  /** Called once at start by a feature: what it does when `name` happens, in order of registration. */
  on<Name extends keyof DomainEventPayloads>(name: Name, emit: Follow<Name>): void {
    const follows = this.#follows.get(name) ?? [];
    follows.push(emit);
    this.#follows.set(name, follows);
  }

  /**
   * Runs what follows from an act, one after the other, inside the actor's transaction. Answers what the actor calls
   * after its commit, where that tells anybody anything.
   */
  async emit<Name extends keyof DomainEventPayloads>(
    tx: Tx,
    name: Name,
    what: DomainEventPayloads[Name],
  ): Promise<Afterwards> {
    const afterwards: Afterwards[] = [];
    for (const follow of this.#follows.get(name) ?? []) {
      const act = await (follow as Follow<Name>)(tx, what);
      if (act) afterwards.push(act);
    }
    return () => afterwards.forEach((act) => act());
  }
}
