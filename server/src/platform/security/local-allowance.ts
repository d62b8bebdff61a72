import type { Clock } from "../clock.ts";

interface Batch {
  left: number;
  readonly isRejected: boolean;
  readonly until: number;
}

/** Most requests need no statement. The unused rest of a batch is lost. */
export class LocalAllowances {
  readonly #clock: Clock;
  readonly #batches = new Map<string, Batch>();
  readonly #reserving = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the milliseconds until there is a permission. Simultaneous requests share a `reserve`. */
  async spend(key: string, size: number, lifeMs: number, reserve: () => Promise<number>): Promise<number> {
    for (;;) {
      const batch = this.#batches.get(key);
      const now = this.#clock.now().getTime();
      if (batch && batch.until > now) {
        if (batch.isRejected) return batch.until - now;
        if (batch.left > 0) {
          batch.left--;
          return 0;
        }
      }
      await (this.#reserving.get(key) ?? this.#reserve(key, size, lifeMs, reserve));
    }
  }

  #reserve(key: string, size: number, lifeMs: number, reserve: () => Promise<number>): Promise<void> {
    const store = (waitMs: number) => {
      const now = this.#clock.now().getTime();
      this.#batches.delete(key);
      const isRejected = waitMs > 0;
      const until = now + (isRejected ? waitMs : lifeMs);
      this.#batches.set(key, { left: isRejected ? 0 : size, isRejected, until });
      this.#deleteEnded(now);
    };
    const reserving = reserve()
      .then(store)
      .finally(() => this.#reserving.delete(key));
    this.#reserving.set(key, reserving);
    return reserving;
  }

  #deleteEnded(now: number): void {
    for (const [key, { until }] of this.#batches) {
      if (until > now) return;
      this.#batches.delete(key);
    }
  }
}
