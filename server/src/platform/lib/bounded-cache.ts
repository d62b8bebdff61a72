export class BoundedCache<Key, Value> {
  readonly #maxSize: number;
  readonly #values = new Map<Key, Value>();

  constructor(maxSize = 10_000) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= this.#maxSize && !this.#values.has(key)) this.#values.clear();
    this.#values.set(key, value);
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }
}
