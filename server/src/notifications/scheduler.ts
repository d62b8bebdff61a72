import { MINUTE_MS } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

/** Looks after work soon after a hint, and never twice at once. Whoever misses a hint finds the work by its cron job. */
export class Watch {
  readonly #work: () => Promise<number | null>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #at = Infinity;
  #running: Promise<void> | null = null;
  #isStopped = false;

  /** `work` answers in how many milliseconds there is more of it; null when it does not know. */
  constructor(work: () => Promise<number | null>, log: Log) {
    this.#work = work;
    this.#log = log;
  }

  /** Looks in so many milliseconds, unless it does sooner anyway. */
  lookIn(ms: number): void {
    const at = Date.now() + ms;
    if (this.#isStopped || at >= this.#at) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => void this.look(), ms).unref();
  }

  /** Looks now. */
  async look(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#at = Infinity;
    if (this.#isStopped) return;
    if (this.#running) return this.#lookAfter(this.#running);
    this.#running = this.#do();
    await this.#running;
  }

  /** Ends what is running and looks no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  async #lookAfter(running: Promise<void>): Promise<void> {
    await running;
    this.lookIn(0);
  }

  async #do(): Promise<void> {
    try {
      const nextMs = await this.#work();
      if (nextMs !== null && nextMs < MINUTE_MS) this.lookIn(Math.max(1_000, nextMs));
    } catch (error) {
      this.#log.error({ err: error }, "notifications could not be sent");
    } finally {
      this.#running = null;
    }
  }
}
