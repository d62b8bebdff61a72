import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, run, type Runner, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import { WorkerHeartbeat } from "./worker-heartbeat.ts";

export interface RunnerOptions {
  pool: pg.Pool;
  log: Log;
  taskList: TaskList;
  crontab: string;
  concurrency: number;
}

/** Runs the worker, which ends when it cannot store the result of a job. Then the job runs again. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #events: WorkerEvents = new EventEmitter();
  readonly #stopping = new AbortController();
  #runner: Runner | null = null;
  #heartbeat: WorkerHeartbeat | null = null;
  #ended: Promise<void> = Promise.resolve();
  #isOut = false;
  readonly #outageAtStop = Promise.withResolvers<void>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#events.on("pool:create", ({ workerPool }) => {
      this.#heartbeat = new WorkerHeartbeat(options.pool, options.log, workerPool.id);
    });
    for (const event of ["worker:getJob:error", "pool:listen:error", "pool:fatalError"] as const) {
      this.#events.on(event, () => this.#noteOutage());
    }
    for (const event of ["worker:getJob:empty", "job:start"] as const) {
      this.#events.on(event, () => (this.#isOut = false));
    }
  }

  async start(): Promise<void> {
    this.#runner = await this.#run();
    this.#ended = this.#restartUntilStopped();
  }

  /** Does not wait for jobs on a database that is down: they run again later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#isOut) this.#outageAtStop.resolve();
    // A worker that has ended rejects the stop.
    const stopped = Promise.allSettled([this.#runner?.stop(), this.#ended]);
    await Promise.race([stopped, this.#outageAtStop.promise]);
    await this.#heartbeat?.end();
    // NOTE: graphile-worker keeps the emitter for ever, and its listeners would keep the whole server.
    this.#events.removeAllListeners();
  }

  async #restartUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#runner?.promise.catch(() => undefined);
      if (signal.aborted) return;
      this.#runner = null;
      await this.#heartbeat?.end();
      this.#options.log.warn("the worker of the jobs ended and starts again");
      while (!this.#runner) {
        await delay(SECOND_MS, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        this.#runner = await this.#run().catch(() => null);
      }
      if (!signal.aborted) continue;
      await Promise.all([this.#runner.stop(), this.#heartbeat?.end()]);
      return;
    }
  }

  #run(): Promise<Runner> {
    const { pool, log, taskList, crontab, concurrency } = this.#options;
    return run({
      pgPool: pool,
      taskList,
      crontab,
      concurrency,
      noHandleSignals: true,
      pollInterval: SECOND_MS,
      logger: workerLogger(log),
      events: this.#events,
      // Without batches, an error in storing a result would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
  }

  #noteOutage(): void {
    this.#isOut = true;
    if (this.#stopping.signal.aborted) this.#outageAtStop.resolve();
  }
}

/** Its messages hold job ids and names, never payloads. */
export function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error = meta?.["error"];
    if (level === "error") log.error({ err: error }, error instanceof Error ? "a job failed" : message);
    else if (level === "warning") log.warn(message);
    else log.debug(message);
  });
}
