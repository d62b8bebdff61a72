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

interface QueueParts {
  readonly permits: number;
  readonly maxWaiting: number;
  readonly maxWaitMs?: number;
  readonly whenFull: () => Error;
}

/**
 * A semaphore that admits the waiting task whose groups had the fewest tasks when it came. A full queue rejects the task
 * with the most, so that a group's burst displaces no other group.
 */
export class FairQueue {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number | null;
  readonly #whenFull: () => Error;
  readonly #tasks = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(parts: QueueParts) {
    this.#permits = parts.permits;
    this.#maxWaiting = parts.maxWaiting;
    this.#maxWaitMs = parts.maxWaitMs ?? null;
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

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async #wait(isFirst: boolean, rank: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const admission = new Promise<void>((admit, reject) => {
      const waiting = { isFirst, rank, admit, reject };
      const isLater = (other: Waiting) => (other.isFirst === isFirst ? other.rank > rank : isFirst);
      const at = this.#waiting.findIndex(isLater);
      this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, waiting);
      if (this.#waiting.length > this.#maxWaiting) this.#waiting.pop()?.reject(this.#whenFull());
      if (this.#maxWaitMs !== null) timer = setTimeout(() => this.#reject(waiting), this.#maxWaitMs);
    });
    await admission.finally(() => clearTimeout(timer));
  }

  #reject(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    waiting.reject(this.#whenFull());
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

export class KeyedFairQueues {
  readonly #parts: QueueParts;
  readonly #queues = new Map<string, FairQueue>();

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  async run<T>(key: string, groups: readonly string[], task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? new FairQueue(this.#parts);
    this.#queues.set(key, queue);
    try {
      return await queue.run({ groups, isFirst: false }, task);
    } finally {
      if (queue.isIdle) this.#queues.delete(key);
    }
  }
}
