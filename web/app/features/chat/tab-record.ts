import { parseStored, tabStore, type StoredKey } from "../../device/stored.ts";
import { lock } from "../../lib/session/lock.ts";

/** Values by user id. They survive a reload, unless a PIN is set: the tab's storage is readable without it. */
export class TabRecord<Value> {
  readonly #key: StoredKey;
  readonly #listeners = new Set<() => void>();
  #values: Map<string, Value> | null = null;

  constructor(key: StoredKey) {
    this.#key = key;
    lock.subscribe(() => {
      if (lock.getState().isSet) this.#store();
    });
  }

  get(userId: string): Value | undefined {
    return this.#load().get(userId);
  }

  /** Null deletes the value. */
  set(userId: string, value: Value | null): void {
    if (value === null) this.#load().delete(userId);
    else this.#load().set(userId, value);
    this.#store();
    for (const listener of this.#listeners) listener();
  }

  clear(): void {
    this.#values = new Map();
    tabStore.remove(this.#key);
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #load(): Map<string, Value> {
    this.#values ??= new Map(
      Object.entries(parseStored<Record<string, Value>>(tabStore.get(this.#key)) ?? {}),
    );
    return this.#values;
  }

  #store(): void {
    const values = this.#load();
    if (values.size === 0 || lock.getState().isSet) tabStore.remove(this.#key);
    else tabStore.set(this.#key, JSON.stringify(Object.fromEntries(values)));
  }
}
