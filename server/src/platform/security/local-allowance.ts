import type { Clock } from "../clock.ts";

/** What is left of a batch; or nothing, and until when it is of no use to ask for another. */
interface Batch {
  left: number;
  readonly isRefused: boolean;
  readonly until: number;
}

/**
 * Spends permissions that are got in batches, by whoever they are for: most requests find one in the memory of this
 * process. What is left of a batch when its time is over, or its process ends, is lost.
 */
export class LocalAllowances {
  readonly #clock: Clock;
  readonly #batches = new Map<string, Batch>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Spends one permission of `key`, and answers how long to wait when there is none: 0 when it was spent. `ask` gets a
   * batch of `size`, or answers how long there is none; requests that find nothing left wait for one answer together.
   */
  async spend(key: string, size: number, lifeMs: number, ask: () => Promise<number>): Promise<number> {
    for (;;) {
      const batch = this.#batches.get(key);
      const now = this.#clock.now().getTime();
      if (batch && batch.until > now) {
        if (batch.isRefused) return batch.until - now;
        if (batch.left > 0) {
          batch.left--;
          return 0;
        }
      }
      await (this.#asking.get(key) ?? this.#askFor(key, size, lifeMs, ask));
    }
  }

  #askFor(key: string, size: number, lifeMs: number, ask: () => Promise<number>): Promise<void> {
    const keep = (waitMs: number) => {
      const now = this.#clock.now().getTime();
      // At the end again, so that the map stays in the order in which batches end.
      this.#batches.delete(key);
      const isRefused = waitMs > 0;
      const until = now + (isRefused ? waitMs : lifeMs);
      this.#batches.set(key, { left: isRefused ? 0 : size, isRefused, until });
      this.#forgetEnded(now);
    };
    const asking = ask()
      .then(keep)
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  #forgetEnded(now: number): void {
    for (const [key, { until }] of this.#batches) {
      if (until > now) return;
      this.#batches.delete(key);
    }
  }
}
