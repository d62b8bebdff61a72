import { sql } from "kysely";
import type pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Log } from "../log.ts";

const BEAT_MS = 10 * SECOND_MS;
/** The first half of our advisory locks: nobody else in this database takes one with it. */
const LOCKS = 0x616c_6a62;

/** Whether a server works on this database, whether or not on this machine. */
export async function isWorkerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${LOCKS}
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}

/**
 * Gives the jobs of a process that died back to those that live; the worker by itself would wait four hours.
 *
 * Each process holds an advisory lock under its worker's name, on a connection of its own: the database lets go of it
 * when the process is gone, however it went. Jobs of a name whose lock is free belong to nobody. A process that loses
 * this connection alone may see a job of its own done twice, which every job must bear.
 */
export class WorkerHeartbeat {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #name: string;
  readonly #timer: NodeJS.Timeout;
  #shown: pg.PoolClient | null = null;
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
    const shown = this.#shown;
    this.#shown = null;
    shown?.release(true);
  }

  async #beat(): Promise<void> {
    try {
      this.#shown ??= await this.#show();
      await this.#pool.query(
        `select graphile_worker.force_unlock_workers(array_agg(name))
         from (select distinct locked_by as name from graphile_worker._private_jobs where locked_by <> $2) others
         where pg_try_advisory_xact_lock($1, hashtext(name))`,
        [LOCKS, this.#name],
      );
    } catch (error) {
      this.#log.warn({ err: error }, "the jobs of processes that died could not be looked for");
    }
  }

  async #show(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.once("error", () => {
      if (this.#shown !== client) return;
      this.#shown = null;
      client.release(true);
    });
    try {
      await client.query("select pg_advisory_lock($1, hashtext($2))", [LOCKS, this.#name]);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
