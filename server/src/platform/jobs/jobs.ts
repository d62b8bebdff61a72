import { SpanKind } from "@opentelemetry/api";
import { makeWorkerUtils, runMigrations, type TaskList } from "graphile-worker";
import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "../db/database.ts";
import { JobRunner, workerLogger } from "./job-runner.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { inSpan, traceFields, traceOf } from "../tracing.ts";
import { scheduledJobs, type JobPayloads } from "../../registry.ts";

type JobName = keyof JobPayloads & string;

interface JobOptions {
  runAt?: Date;
  maxAttempts?: number;
  /** A new job replaces a waiting job with the same key. */
  key?: string;
  /** Lower ones run first. */
  priority?: number;
}

/** Jobs run after the commit, at least once, so they must be safe to run twice. */
export class Jobs {
  readonly #tasks: TaskList = {};
  #taskList: TaskList = {};
  #runner: JobRunner | null = null;
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  handle<Name extends JobName>(name: Name, handler: (payload: JobPayloads[Name]) => Promise<void>): void {
    this.#tasks[name] = async (payload) => {
      const startedAt = performance.now();
      const record = (outcome: "done" | "failed") =>
        this.#metrics.recordJob(name, outcome, performance.now() - startedAt);
      try {
        await inSpan(`job ${name}`, { kind: SpanKind.CONSUMER, parent: traceOf(payload) }, () =>
          handler(payload as JobPayloads[Name]),
        );
      } catch (error) {
        record("failed");
        throw error;
      }
      record("done");
    };
  }

  get names(): string[] {
    return Object.keys(this.#tasks);
  }

  async add<Name extends JobName>(
    db: Db,
    name: Name,
    payload: JobPayloads[Name],
    options: JobOptions = {},
  ): Promise<void> {
    // A later job begins a trace of its own.
    const traced = { ...(payload as object), ...(options.runAt ? {} : traceFields()) };
    await sql`
      select graphile_worker.add_job(
        ${name}, payload := ${JSON.stringify(traced)}::json, run_at := ${options.runAt ?? null}::timestamptz,
        max_attempts := ${options.maxAttempts ?? null}::int, job_key := ${options.key ?? null}::text,
        priority := ${options.priority ?? null}::int)`.execute(db);
  }

  /** Scans the queue: for the metrics only. */
  async readQueue(db: Db): Promise<{ due: number; failed: number; delaySeconds: number }> {
    const { rows } = await sql<{ due: string; failed: string; delay: number | null }>`
      select count(*) filter (where is_due) as due, count(*) filter (where is_failed) as failed,
        extract(epoch from now() - min(run_at) filter (where is_due))::float8 as delay
      from (
        select run_at, attempts >= max_attempts and locked_at is null as is_failed,
          attempts < max_attempts and run_at <= now() as is_due
        from graphile_worker.jobs
      ) jobs`.execute(db);
    const { due, failed, delay } = rows[0]!;
    return { due: Number(due), failed: Number(failed), delaySeconds: delay ?? 0 };
  }

  /** Rows of failed jobs hold exact times, of the database's clock. */
  async deleteFailed(db: Db): Promise<void> {
    await sql`
      select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days'`.execute(
      db,
    );
  }

  async start(pool: pg.Pool, log: Log, concurrency: number): Promise<void> {
    this.#taskList = { ...this.#tasks };
    const crontab = Object.entries(scheduledJobs)
      .map(([name, pattern]) => `${pattern} ${name} ?max=3`)
      .join("\n");
    const runner = new JobRunner({ pool, log, taskList: this.#taskList, crontab, concurrency });
    await runner.start();
    this.#runner = runner;
  }

  get isRunning(): boolean {
    return this.#runner !== null;
  }

  async stop(): Promise<void> {
    await this.#runner?.stop();
    this.#runner = null;
    this.#forgetTasks();
  }

  /** NOTE: graphile-worker keeps the list for ever, and its handlers would keep the whole server. */
  #forgetTasks(): void {
    for (const name of Object.keys(this.#taskList)) delete this.#taskList[name];
  }
}

export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: workerLogger(log) });
  // NOTE: prepares the schema's functions on this pool before the first job is added.
  const utils = await makeWorkerUtils({ pgPool: pool, logger: workerLogger(log) });
  await utils.release();
}
