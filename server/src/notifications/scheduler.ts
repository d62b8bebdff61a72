import { MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Log } from "../platform/log.ts";

/** A burst of messages within this time is processed at once. */
const DELAY_MS = SECOND_MS;

const schedulers = new WeakMap<AppContext, Scheduler>();

/** The process that added an entry looks soon; the others look each minute. */
export function notifySoon(ctx: AppContext): void {
  schedulers.get(ctx)?.runIn(DELAY_MS);
}

export class Scheduler {
  readonly #task: () => Promise<number | null>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #nextRunAt = Infinity;
  #running: Promise<void> | null = null;
  #isStopped = false;

  /** `task` returns the milliseconds until its next work, or null if unknown. */
  constructor(ctx: AppContext, task: () => Promise<number | null>) {
    this.#task = task;
    this.#log = ctx.log;
    schedulers.set(ctx, this);
  }

  /** Does nothing if an earlier run is planned. */
  runIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isStopped || at >= this.#nextRunAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#nextRunAt = at;
    this.#timer = setTimeout(() => void this.run(), ms).unref();
  }

  async run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#nextRunAt = Infinity;
    if (this.#isStopped) return;
    if (this.#running) return this.#runAfter(this.#running);
    this.#running = this.#runTask();
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  async #runAfter(running: Promise<void>): Promise<void> {
    await running;
    this.runIn(0);
  }

  async #runTask(): Promise<void> {
    try {
      const nextMs = await this.#task();
      if (nextMs !== null && nextMs < MINUTE_MS) this.runIn(Math.max(SECOND_MS, nextMs));
    } catch (error) {
      this.#log.error({ err: error }, "notifications could not be sent");
    } finally {
      this.#running = null;
    }
  }
}
