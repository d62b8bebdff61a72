import { type KeyObject, randomBytes, randomInt } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { type Clock, DAY_MS, utcDay } from "../clock.ts";
import type { Db, Tx } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { decrypt, DecryptionError, encrypt, importKey } from "./cipher.ts";
import * as rows from "./data-keys.sql.ts";
import type { MasterKeys } from "./master-keys.ts";

/** A deletion has usually ended since the row was read. */
export class KeyDestroyedError extends ApiError {
  override name = "KeyDestroyedError";
  readonly keyId: number;

  constructor(keyId: number) {
    super("not_found");
    this.keyId = keyId;
  }
}

const KEY_BYTES = 32;
/** A key is wrapped again if the master key was replaced since. */
const TRIES = 5;
/** Months, because no deletion may be missing in the list. */
const LISTING_ATTEMPTS = 1_000;
const CACHED_KEYS = 50_000;
const NO_HEAD = Buffer.alloc(0);
/** Daily keys have ids between this and zero, other keys below it. A member's key has their number. */
const DAILY_FLOOR = -1_000_000;

/** A key never changes under its id, so the cache cannot be stale; a destroyed key may stay in it. */
export class DataKeys {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #jobs: Jobs;
  readonly #masterKeys: MasterKeys;
  readonly #cache = new BoundedCache<number, KeyObject>(CACHED_KEYS);
  readonly #uses: rows.KeyUse[] = [];
  readonly #created = new Map<number, KeyObject>();

  /** @param db its own connections: a transaction may wait for a key */
  constructor(db: Db, clock: Clock, masterKeys: MasterKeys, jobs: Jobs) {
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
    this.#masterKeys = masterKeys;
  }

  /** @throws KeyDestroyedError */
  async find(id: number): Promise<KeyObject> {
    return this.#cache.get(id) ?? this.#created.get(id) ?? this.#load(id);
  }

  /** Usable in this process only, until `store`. */
  create(id = newKeyId()): number {
    this.#created.set(id, importKey(randomBytes(KEY_BYTES)));
    return id;
  }

  async store(db: Db | Tx, id: number): Promise<void> {
    const key = this.#created.get(id)!;
    await this.#insert(id, key, (row) => rows.insertKey(db, row));
    this.#cache.set(id, key);
    this.#created.delete(id);
  }

  forget(id: number): void {
    this.#created.delete(id);
    this.#cache.delete(id);
  }

  /** For values that jobs need for hours; destroyed after some days. */
  async daily(): Promise<number> {
    const id = DAILY_FLOOR + this.#day();
    if (!this.#cache.get(id)) {
      // Of two processes, the stored one counts.
      const key = importKey(randomBytes(KEY_BYTES));
      await this.#insert(id, key, (row) => rows.insertKeyOnce(this.#db, row));
      await this.#load(id);
    }
    return id;
  }

  async destroyOldDailyKeys(): Promise<void> {
    await rows.deleteKeysBetween(this.#db, DAILY_FLOOR, DAILY_FLOOR + this.#day() - RETENTION.emailKeyDays);
  }

  /** NOTE: a restore deletes keys that no feature adds here. */
  addUse(use: rows.KeyUse): void {
    this.#uses.push(use);
  }

  /** After a restore. The list of deletions leaves out these keys: newer data may still be restored. */
  async deleteUnused(tx: Tx): Promise<void> {
    await rows.deleteUnusedKeys(tx, this.#uses, DAILY_FLOOR, 0);
  }

  async destroy(db: Db | Tx, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    if (!db.isTransaction) return db.transaction().execute((tx) => this.destroy(tx, ids));
    await rows.deleteKeys(db, ids);
    const job = { keyIds: ids, day: utcDay(this.#clock.now()) };
    await this.#jobs.add(db, "list_deletions", job, { maxAttempts: LISTING_ATTEMPTS });
  }

  #day(): number {
    return Math.floor(this.#clock.now().getTime() / DAY_MS);
  }

  async #load(id: number): Promise<KeyObject> {
    // The second time, a rotation has wrapped the key again and dropped the first master key.
    const key = (await this.#read(id)) ?? (await this.#read(id));
    if (!key) throw new DecryptionError("the master key of a data key is missing");
    this.#cache.set(id, key);
    return key;
  }

  async #read(id: number): Promise<KeyObject | null> {
    const row = await rows.readKey(this.#db, id);
    if (!row) throw new KeyDestroyedError(id);
    const master = await this.#masterKeys.find(row.master_key);
    return master && unwrap(master, row);
  }

  /** @param insert returns false unless the row's master key is active */
  async #insert(
    id: number,
    key: KeyObject,
    insert: (row: rows.DataKeyRow) => Promise<boolean>,
  ): Promise<void> {
    for (let tried = 1; !(await insert(wrap(this.#masterKeys.active, id, key))); tried++) {
      if (tried === TRIES) throw new Error("the active master key is unknown");
      await this.#masterKeys.refresh();
    }
  }
}

export function rewrap(old: KeyObject, active: MasterKeys["active"], row: rows.DataKeyRow): rows.DataKeyRow {
  return wrap(active, row.key_id, unwrap(old, row));
}

function wrap(master: MasterKeys["active"], id: number, key: KeyObject): rows.DataKeyRow {
  const wrapped_key = encrypt(master.key, NO_HEAD, key.export(), wrapContext(id));
  return { key_id: id, master_key: master.id, wrapped_key };
}

function unwrap(master: KeyObject, { key_id, wrapped_key }: rows.DataKeyRow): KeyObject {
  return importKey(decrypt(master, 0, wrapped_key, wrapContext(key_id)));
}

export function isDailyKey(id: number): boolean {
  return id >= DAILY_FLOOR && id < 0;
}

const wrapContext = (id: number): string => `data_keys.wrapped_key:${id}`;

function newKeyId(): number {
  return DAILY_FLOOR - randomInt(1, 2 ** 48);
}
