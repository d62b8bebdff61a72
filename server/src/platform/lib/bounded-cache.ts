const MOST = 10_000;

/** Remembers values by key, 10,000 at most: the next one begins anew. For what is looked up again when it is not there. */
export class BoundedCache<Key, Value> {
  readonly #known = new Map<Key, Value>();

  get(key: Key): Value | undefined {
    return this.#known.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#known.size >= MOST && !this.#known.has(key)) this.#known.clear();
    this.#known.set(key, value);
  }

  delete(key: Key): void {
    this.#known.delete(key);
  }
}
