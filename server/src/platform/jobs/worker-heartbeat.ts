import { sql } from "kysely";
import type pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Log } from "../log.ts";

const BEAT_MS = 10 * SECOND_MS;
const LOCK_CLASS = 0x616c_6a62;

export async function isWorkerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${LOCK_CLASS}
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}

/**
 * Unlocks the jobs of dead processes; the worker itself would wait four hours.
 *
 * Each process holds an advisory lock on its own connection. If only this connection is lost, a job may run twice.
 */
export class WorkerHeartbeat {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #name: string;
  readonly #timer: NodeJS.Timeout;
  #lockClient: pg.PoolClient | null = null;
  #beating: Promise<void>;

  constructor(pool: pg.Pool, log: Log, name: string) {
    this.#pool = pool;
    this.#log = log;
    this.#name = name;
    this.#beating = this.#beat();
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, BEAT_MS);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const client = this.#lockClient;
    this.#lockClient = null;
    client?.release(true);
  }

  async #beat(): Promise<void> {
    try {
      this.#lockClient ??= await this.#takeLock();
      await this.#pool.query(
        `select graphile_worker.force_unlock_workers(array_agg(name))
         from (select distinct locked_by as name from graphile_worker.jobs where locked_by <> $2) others
         where pg_try_advisory_xact_lock($1, hashtext(name))`,
        [LOCK_CLASS, this.#name],
      );
    } catch (error) {
      this.#log.warn({ err: error }, "unlocking jobs of dead processes failed");
    }
  }

  async #takeLock(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.once("error", () => {
      if (this.#lockClient !== client) return;
      this.#lockClient = null;
      client.release(true);
    });
    try {
      await client.query("select pg_advisory_lock($1, hashtext($2))", [LOCK_CLASS, this.#name]);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
