import { type KeyObject, randomUUID } from "node:crypto";
import { ConfigError } from "../../config.ts";
import { type Clock, SECOND_MS, utcDay } from "../clock.ts";
import type { EncryptionKey } from "../config-reader.ts";
import type { Db } from "../db/database.ts";
import type { Log } from "../log.ts";
import { decrypt, DecryptionError, encrypt, importKey } from "./cipher.ts";
import * as rows from "./master-keys.sql.ts";

interface Options {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly readKeys: () => Promise<readonly EncryptionKey[]>;
  readonly place: string;
  /** Depends on the pepper. */
  readonly proof: Buffer;
}

interface Held {
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly active: string;
}

const REFRESH_MS = 3 * SECOND_MS;
const TRIES = 3;
const NO_HEAD = Buffer.alloc(0);

/**
 * The database decides which key is active.
 *
 * Each process reads the keys every few seconds and records which ones it holds, so that a rotation can wait for it.
 */
export class MasterKeys {
  readonly #options: Options;
  readonly #processId = randomUUID();
  #held: Held;
  #timer: NodeJS.Timeout | null = null;
  #refreshing: Promise<void> = Promise.resolve();
  #isFailing = false;

  private constructor(options: Options, held: Held) {
    this.#options = options;
    this.#held = held;
  }

  /** @throws ConfigError unless the keys fit the database */
  static async open(options: Options): Promise<MasterKeys> {
    const [first] = await options.readKeys();
    await rows.insertFirst(options.db, newRow(first!, options));
    const keys = new MasterKeys(options, await readHeld(options));
    await keys.#record();
    keys.#timer = setInterval(() => void keys.#refreshQuietly(), REFRESH_MS);
    return keys;
  }

  get active(): { readonly id: string; readonly key: KeyObject } {
    const { active, keys } = this.#held;
    return { id: active, key: keys.get(active)! };
  }

  has(id: string): boolean {
    return this.#held.keys.has(id);
  }

  /** Reads the keys again if this one is unknown. */
  async find(id: string): Promise<KeyObject | null> {
    if (!this.has(id)) await this.refresh();
    return this.#held.keys.get(id) ?? null;
  }

  /** No process uses the key yet. Safe to repeat. */
  async add(key: EncryptionKey): Promise<void> {
    await rows.insertNew(this.#options.db, newRow(key, this.#options));
    await this.refresh();
  }

  /** @throws ConfigError unless the keys fit the database */
  async refresh(): Promise<void> {
    const run = this.#refreshAfter(this.#refreshing);
    this.#refreshing = run.catch(() => undefined);
    return run;
  }

  async #refreshAfter(previous: Promise<void>): Promise<void> {
    await previous;
    this.#held = await readHeld(this.#options);
    await this.#record();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer!);
    await this.#refreshing;
    await rows.removeProcess(this.#options.db, this.#processId).catch(() => undefined);
  }

  async #record(): Promise<void> {
    const { keys, active } = this.#held;
    const process = { process_id: this.#processId, key_ids: [...keys.keys()], active_key: active };
    await rows.recordProcess(this.#options.db, process);
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#options.log.warn({ err: error }, "master keys not read again, keeping the present ones");
      this.#isFailing = true;
    }
  }
}

function newRow({ id, key }: EncryptionKey, { proof, clock }: Options) {
  const check_value = encrypt(importKey(key), NO_HEAD, proof, checkContext(id));
  return { key_id: id, check_value, changed_on: utcDay(clock.now()) };
}

/** Reads again if they do not fit: a rotation may have changed both in between. */
async function readHeld(options: Options): Promise<Held> {
  for (let tried = 1; ; tried++) {
    try {
      return await readFitting(options);
    } catch (error) {
      if (!(error instanceof ConfigError) || tried === TRIES) throw error;
    }
  }
}

async function readFitting(options: Options): Promise<Held> {
  const { db } = options;
  const given = await options.readKeys();
  const known = await rows.readMasterKeys(db);
  const keys = new Map(given.map(({ id, key }) => [id, importKey(key)]));
  for (const row of known) requireFit(row, keys.get(row.key_id), options);
  return { keys, active: known.find(({ state }) => state === "active")!.key_id };
}

function requireFit(row: rows.MasterKeyRow, key: KeyObject | undefined, { place, proof }: Options): void {
  const { key_id: id, state, check_value } = row;
  const isNeeded = state === "active" || state === "replaced";
  if (!key) {
    if (!isNeeded) return;
    throw new ConfigError(
      `${place} lacks the master key ${id} of this database: put it back, because nothing else can read the data.`,
    );
  }
  const found = openCheck(key, id, check_value);
  if (!found) {
    throw new ConfigError(
      `${place} has another master key ${id} than this database: put the right one back, because nothing else can read the data.`,
    );
  }
  if (!found.equals(proof)) {
    throw new ConfigError(
      "PASSWORD_PEPPER, or the pepper in secrets.json, is another one than that of this database: put the right one back.",
    );
  }
}

function openCheck(key: KeyObject, id: string, sealed: Buffer): Buffer | null {
  try {
    return decrypt(key, 0, sealed, checkContext(id));
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

const checkContext = (id: string): string => `master_keys.check_value:${id}`;
