const MAX_SIZE = 10_000;

export class BoundedCache<Key, Value> {
  readonly #values = new Map<Key, Value>();

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= MAX_SIZE && !this.#values.has(key)) this.#values.clear();
    this.#values.set(key, value);
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }
}
