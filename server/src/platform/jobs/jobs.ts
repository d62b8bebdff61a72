import { EventEmitter } from "node:events";
import {
  Logger,
  makeWorkerUtils,
  run,
  runMigrations,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "../db/database.ts";
import { WorkerHeartbeat } from "./worker-heartbeat.ts";
import type { Log } from "../log.ts";
import type { JobPayloads } from "../../registry.ts";

type JobName = keyof JobPayloads & string;

interface JobOptions {
  runAt?: Date;
  maxAttempts?: number;
  /** A second job with the same key replaces the first while that one waits. */
  key?: string;
}

/**
 * Work that happens after a commit and survives a crash. A job runs at least once, so each must be safe to run twice;
 * one that fails is tried again with growing pauses.
 */
export class Jobs {
  readonly #tasks: TaskList = {};
  readonly #crontab: string[] = [];
  #runner: Runner | null = null;
  #presence: WorkerHeartbeat | null = null;

  /** Called once at start by a feature: how to do a kind of job. */
  handle<Name extends JobName>(name: Name, work: (payload: JobPayloads[Name]) => Promise<void>): void {
    this.#tasks[name] = (payload: unknown) => work(payload as JobPayloads[Name]);
  }

  /** Called once at start by a feature: does a job by the crontab `pattern` (UTC), such as `* * * * *`. */
  schedule<Name extends JobName>(pattern: string, name: Name, work: () => Promise<void>): void {
    this.#tasks[name] = work;
    this.#crontab.push(`${pattern} ${name} ?max=3`);
  }

  /** Stores a job; inside a transaction it exists only if that commits. */
  async add<Name extends JobName>(
    db: Db,
    name: Name,
    payload: JobPayloads[Name],
    how: JobOptions = {},
  ): Promise<void> {
    await sql`
      select graphile_worker.add_job(
        ${name}, payload := ${JSON.stringify(payload)}::json, run_at := ${how.runAt ?? null}::timestamptz,
        max_attempts := ${how.maxAttempts ?? null}::int, job_key := ${how.key ?? null}::text)`.execute(db);
  }

  /** Starts doing jobs in this process. */
  async start(pool: pg.Pool, log: Log, concurrency = 4): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    events.once("pool:create", ({ workerPool }) => {
      this.#presence = new WorkerHeartbeat(pool, log, workerPool.id);
    });
    this.#runner = await run({
      pgPool: pool,
      taskList: this.#tasks,
      crontab: this.#crontab.join("\n"),
      concurrency,
      noHandleSignals: true,
      pollInterval: 1_000,
      logger: quiet(log),
      events,
    });
  }

  /** Whether this process does jobs: a program beside the server does none, nor does a server that stops. */
  get isRunning(): boolean {
    return this.#runner !== null;
  }

  /** Finishes what is running and takes no more. */
  async stop(): Promise<void> {
    await this.#runner?.stop();
    this.#runner = null;
    await this.#presence?.end();
    this.#presence = null;
  }
}

/** Makes or updates the tables that jobs are kept in. */
export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: quiet(log) });
  // NOTE: makes the utility functions of the schema known to this pool before the first job is added.
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet(log) });
  await utils.release();
}

/** The worker's own words go to our log at their level; its messages hold job ids and names, never payloads. */
function quiet(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error = meta?.["error"];
    if (level === "error") log.error({ err: error }, error instanceof Error ? "a job failed" : message);
    else if (level === "warning") log.warn(message);
    else log.debug(message);
  });
}
