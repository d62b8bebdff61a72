export interface Turn {
  readonly groups: readonly string[];
  readonly isFirst: boolean;
}

interface Waiting {
  readonly isFirst: boolean;
  readonly rank: number;
  admit(): void;
  reject(error: Error): void;
}

/**
 * A semaphore that admits the waiting task whose groups had the fewest tasks when it came. A full queue rejects the task
 * with the most, so that a group's burst displaces no other group.
 */
export class FairQueue {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #whenFull: () => Error;
  readonly #tasks = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(parts: { permits: number; maxWaiting: number; whenFull: () => Error }) {
    this.#permits = parts.permits;
    this.#maxWaiting = parts.maxWaiting;
    this.#whenFull = parts.whenFull;
  }

  async run<T>({ groups, isFirst }: Turn, task: () => Promise<T>): Promise<T> {
    const keys = groups.map((group) => `${isFirst} ${group}`);
    const rank = Math.max(0, ...keys.map((key) => this.#tasks.get(key) ?? 0));
    for (const key of keys) this.#count(key, 1);
    try {
      if (this.#running < this.#permits) this.#running++;
      else await this.#wait(isFirst, rank);
      try {
        return await task();
      } finally {
        this.#passPermit();
      }
    } finally {
      for (const key of keys) this.#count(key, -1);
    }
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  async #wait(isFirst: boolean, rank: number): Promise<void> {
    await new Promise<void>((admit, reject) => {
      const isLater = (other: Waiting) => (other.isFirst === isFirst ? other.rank > rank : isFirst);
      const at = this.#waiting.findIndex(isLater);
      this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, { isFirst, rank, admit, reject });
      if (this.#waiting.length > this.#maxWaiting) this.#waiting.pop()?.reject(this.#whenFull());
    });
  }

  #passPermit(): void {
    const next = this.#waiting.shift();
    if (next) next.admit();
    else this.#running--;
  }

  #count(key: string, change: number): void {
    const count = (this.#tasks.get(key) ?? 0) + change;
    if (count === 0) this.#tasks.delete(key);
    else this.#tasks.set(key, count);
  }
}
