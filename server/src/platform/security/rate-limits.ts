import type { ErrorCode } from "@alcove/contract/errors";
import { type Clock, SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { LocalAllowances } from "./local-allowance.ts";
import * as rows from "./rate-limits.sql.ts";
import { ApiError } from "../errors.ts";
import { widerNetworksOf } from "./client-network.ts";
import type { Encryption } from "../keys/encryption.ts";

/** The feature that counts defines it; `docs/product-rules.md` has the same numbers. */
export interface RateLimit {
  /** Unique. A limit named `…_per_network` also counts the wider networks, so that an IPv6 provider's rows are bounded. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  readonly batch?: number;
  readonly error?: ErrorCode;
}

export type RateLimitKey = readonly [limit: RateLimit, subject: string | number];

export class Reservation {
  /** Milliseconds until there is room. If positive, nothing is counted. */
  readonly waitMs: number;
  readonly #refunds: readonly (() => Promise<void>)[];

  constructor(waitMs: number, refunds: readonly (() => Promise<void>)[] = []) {
    this.waitMs = waitMs;
    this.#refunds = refunds;
  }

  async refund(): Promise<void> {
    await Promise.all(this.#refunds.map(async (refund) => refund()));
  }
}

interface Window {
  readonly limit: RateLimit;
  readonly subject: string | number;
  readonly max: number;
}

export class RateLimits {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #encryption: Encryption;
  readonly isOn: boolean;
  readonly #allowances: LocalAllowances;

  constructor(parts: { db: Db; clock: Clock; encryption: Encryption; isOn: boolean }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#encryption = parts.encryption;
    this.isOn = parts.isOn;
    this.#allowances = new LocalAllowances(parts.clock);
  }

  /** Throws `too_many_requests` if the window is full, and then counts nothing. */
  async consume(limit: RateLimit, subject: string | number, db: Db = this.#db): Promise<void> {
    const waitMs = await this.#spend(limit, subject, db);
    if (waitMs > 0) throw tooManyRequests(waitMs, limit.error);
  }

  /** Counts a hit for every key, or for none if a window is full. Parallel attempts get exactly the free places. */
  async reserve(keys: readonly RateLimitKey[]): Promise<Reservation> {
    const refunds: (() => Promise<void>)[] = [];
    if (!this.isOn) return new Reservation(0);
    for (const [limit, subject] of keys) {
      const now = this.#clock.now();
      const waitMs = await this.#hit(limit, subject, this.#db, now);
      if (waitMs > 0) {
        await new Reservation(0, refunds).refund();
        return new Reservation(waitMs);
      }
      for (const one of windowsOf(limit, subject))
        refunds.push(async () => rows.removeHit(this.#db, this.#digestOf(one), now));
    }
    return new Reservation(0, refunds);
  }

  async consumeAll(keys: readonly RateLimitKey[]): Promise<Reservation> {
    const reservation = await this.reserve(keys);
    if (reservation.waitMs > 0) throw tooManyRequests(reservation.waitMs);
    return reservation;
  }

  async countHits(limit: RateLimit, subject: string | number, db: Db = this.#db): Promise<number> {
    const since = this.#clock.now().getTime() - limit.windowMs;
    const hits = await rows.readHits(db, this.#digestOf({ limit, subject }));
    return hits.filter((at) => at.getTime() > since).length;
  }

  /** Returns false if the window is full, and then counts nothing. */
  async tryConsume(limit: RateLimit, subject: string | number, db: Db = this.#db): Promise<boolean> {
    return (await this.#spend(limit, subject, db)) === 0;
  }

  /** An attempt fails by returning null. A full window hides the results of all attempts, even simultaneous ones. */
  async countFailures<T>(keys: readonly RateLimitKey[], attempt: () => Promise<T | null>): Promise<T | null> {
    await this.throwIfFull(keys);
    const result = await attempt();
    if (result !== null) await this.throwIfFull(keys);
    else for (const [limit, subject] of keys) await this.consume(limit, subject);
    return result;
  }

  async record(limit: RateLimit, subject: string | number, db: Db = this.#db): Promise<void> {
    if (!this.isOn) return;
    for (const window of windowsOf(limit, subject)) await rows.recordNewestHit(db, this.#hitOf(window));
  }

  async isFull(limit: RateLimit, subject: string | number): Promise<boolean> {
    return this.isOn && (await this.#waitMs([limit, subject])) > 0;
  }

  async deleteExpired(): Promise<void> {
    await rows.deleteExpired(this.#db, this.#clock.now());
  }

  async #spend(limit: RateLimit, subject: string | number, db: Db): Promise<number> {
    if (!this.isOn) return 0;
    const { name, windowMs, batch = 1 } = limit;
    const hit = () => this.#hit(limit, subject, db);
    return batch === 1 ? hit() : this.#allowances.spend(`${name} ${subject}`, batch, windowMs, hit);
  }

  async #hit(limit: RateLimit, subject: string | number, db: Db, now = this.#clock.now()): Promise<number> {
    const [window, ...wider] = windowsOf(limit, subject);
    const widerMs = await this.#longestWaitMs(wider, db);
    if (widerMs > 0) return widerMs;
    if (!(await rows.recordHit(db, this.#hitOf(window, now))))
      return Math.max(1, await this.#windowWaitMs(window, db));
    for (const one of wider) await rows.recordNewestHit(db, this.#hitOf(one, now));
    return 0;
  }

  #hitOf(window: Window, now = this.#clock.now()) {
    const { windowMs } = window.limit;
    return {
      subject_digest: this.#digestOf(window),
      max: window.max,
      since: new Date(now.getTime() - windowMs),
      now,
      expires_at: new Date(now.getTime() + windowMs),
    };
  }

  async throwIfFull(keys: readonly RateLimitKey[]): Promise<void> {
    if (!this.isOn) return;
    const longest = Math.max(...(await Promise.all(keys.map((key) => this.#waitMs(key)))));
    if (longest > 0) throw tooManyRequests(longest);
  }

  async #waitMs([limit, subject]: RateLimitKey): Promise<number> {
    return this.#longestWaitMs(windowsOf(limit, subject), this.#db);
  }

  async #longestWaitMs(windows: readonly Window[], db: Db): Promise<number> {
    return Math.max(0, ...(await Promise.all(windows.map((window) => this.#windowWaitMs(window, db)))));
  }

  async #windowWaitMs(window: Window, db: Db): Promise<number> {
    const now = this.#clock.now();
    return timeUntilRoomMs(window, await rows.readHits(db, this.#digestOf(window)), now);
  }

  #digestOf({ limit, subject }: Pick<Window, "limit" | "subject">): Buffer {
    return this.#encryption.blindIndex(`${limit.name}\0${subject}`, "rate_limit");
  }
}

function windowsOf(limit: RateLimit, subject: string | number): [Window, ...Window[]] {
  const max = limit.max / (limit.batch ?? 1);
  const wider = limit.name.endsWith("_per_network") ? widerNetworksOf(String(subject)) : [];
  return [
    { limit, subject, max },
    ...wider.map(({ network, factor }) => ({ limit, subject: network, max: max * factor })),
  ];
}

function timeUntilRoomMs({ limit, max }: Window, hits: readonly Date[], now: Date): number {
  const oldest = hits.at(-max);
  return oldest ? oldest.getTime() + limit.windowMs - now.getTime() : 0;
}

export function tooManyRequests(waitMs: number, error: ErrorCode = "too_many_requests"): ApiError {
  return new ApiError(error, { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}
