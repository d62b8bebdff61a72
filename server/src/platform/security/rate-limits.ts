import type { ErrorCode } from "@alcove/contract/errors";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { LocalAllowances } from "./local-allowance.ts";
import * as rows from "./rate-limits.sql.ts";
import { ApiError } from "../errors.ts";
import { widerNetworksOf } from "./client-network.ts";
import type { Encryption } from "../keys/encryption.ts";

interface Limit {
  readonly max: number;
  readonly windowMs: number;
  /** A process reserves so many hits at once. */
  readonly batch?: number;
  readonly error?: ErrorCode;
}

/** `docs/product-rules.md` has the same limits. */
const LIMITS = {
  /** Counted per account, device or session. */
  wrong_passwords: { max: 10, windowMs: 15 * MINUTE_MS },
  /** Counted per account, for all its known devices. */
  wrong_passwords_of_devices: { max: 30, windowMs: 15 * MINUTE_MS },
  wrong_passwords_per_network: { max: 30, windowMs: 15 * MINUTE_MS },
  /** Counts failed logins with a solved bot check, per account and per network. */
  checked_logins: { max: 20, windowMs: HOUR_MS },
  logins: { max: 30, windowMs: 15 * MINUTE_MS },
  password_confirmations: { max: 30, windowMs: 15 * MINUTE_MS },
  emails_per_address_and_network: { max: 5, windowMs: HOUR_MS },
  emails_per_network: { max: 20, windowMs: HOUR_MS },
  emails_per_address: { max: 20, windowMs: DAY_MS },
  /** Five less than above: known devices keep these. */
  emails_per_address_to_unknown_devices: { max: 15, windowMs: DAY_MS },
  wrong_codes_per_network: { max: 100, windowMs: HOUR_MS },
  /** These two reject nothing: beyond them, new codes have capital letters. */
  wrong_codes_per_address: { max: 20, windowMs: DAY_MS },
  wrong_codes: { max: 500, windowMs: HOUR_MS },
  user_id_lookups: { max: 20, windowMs: HOUR_MS },
  user_id_lookups_per_network: { max: 20, windowMs: HOUR_MS },
  /** A sign-up with Google takes four requests, a login one. */
  google_requests_per_network: { max: 60, windowMs: 15 * MINUTE_MS },
  location_changes: { max: 30, windowMs: HOUR_MS },
  distance_filter_changes: { max: 6, windowMs: DAY_MS, error: "distance_changes_used_up" },
  messages: { max: 60, windowMs: MINUTE_MS },
  typing: { max: 60, windowMs: MINUTE_MS, batch: 10 },
  reads: { max: 600, windowMs: MINUTE_MS, batch: 20 },
  refreshes: { max: 30, windowMs: MINUTE_MS },
  bot_challenges_per_network: { max: 100, windowMs: HOUR_MS },
  bot_checks_per_network: { max: 100, windowMs: HOUR_MS },
  saved_pictures: { max: 20, windowMs: HOUR_MS },
  icon_previews: { max: 30, windowMs: HOUR_MS },
  exports: { max: 10, windowMs: HOUR_MS },
  reports: { max: 20, windowMs: DAY_MS },
  questions_per_network: { max: 5, windowMs: HOUR_MS },
  /** Counts all writers, so that a botnet cannot fill the mailbox. */
  questions: { max: 100, windowMs: HOUR_MS },
  orders: { max: 60, windowMs: HOUR_MS },
  coupon_checks: { max: 20, windowMs: HOUR_MS },
  coupon_uses: { max: 20, windowMs: HOUR_MS },
  transfers: { max: 20, windowMs: HOUR_MS },
  /** Counts logins to the console and registrations of a passkey. */
  console_logins_per_network: { max: 20, windowMs: 15 * MINUTE_MS },
  /** Counts all networks. */
  console_logins: { max: 200, windowMs: 15 * MINUTE_MS },
  console_requests: { max: 300, windowMs: MINUTE_MS, batch: 10 },
  forged_webhooks_per_network: { max: 60, windowMs: 15 * MINUTE_MS },
  notification_changes: { max: 60, windowMs: HOUR_MS },
  chat_setting_changes: { max: 60, windowMs: HOUR_MS },
  notifications_seen: { max: 30, windowMs: MINUTE_MS },
  session_tickets: { max: 60, windowMs: MINUTE_MS },
  login_codes: { max: 20, windowMs: HOUR_MS },
  login_codes_per_network: { max: 60, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, Limit>;

export type RateLimitName = keyof typeof LIMITS;

export type RateLimitKey = readonly [name: RateLimitName, subject: string | number];

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

  /** Refunds the hits if the attempt returns true, or if it throws and so reveals nothing. */
  async refundUnlessFalse(attempt: () => Promise<boolean>): Promise<boolean> {
    let result = true;
    try {
      result = await attempt();
      return result;
    } finally {
      if (result) await this.refund();
    }
  }
}

interface Window {
  readonly name: RateLimitName;
  readonly subject: string | number;
  readonly max: number;
}

/** All processes share the windows. */
export class RateLimits {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #encryption: Encryption;
  readonly #isOn: boolean;
  readonly #allowances: LocalAllowances;

  constructor(parts: { db: Db; clock: Clock; encryption: Encryption; isOn: boolean }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#encryption = parts.encryption;
    this.#isOn = parts.isOn;
    this.#allowances = new LocalAllowances(parts.clock);
  }

  /** Throws `too_many_requests` if the window is full, and then counts nothing. */
  async consume(name: RateLimitName, subject: string | number, db: Db = this.#db): Promise<void> {
    if (!this.#isOn) return;
    const { windowMs, batch = 1, error }: Limit = LIMITS[name];
    const hit = () => this.#hit(name, subject, db);
    const waitMs =
      batch === 1 ? await hit() : await this.#allowances.spend(`${name} ${subject}`, batch, windowMs, hit);
    if (waitMs > 0) throw tooManyRequests(waitMs, error);
  }

  /** Counts a hit for every key, or for none if a window is full. Parallel attempts get exactly the free places. */
  async reserve(keys: readonly RateLimitKey[]): Promise<Reservation> {
    const refunds: (() => Promise<void>)[] = [];
    if (!this.#isOn) return new Reservation(0);
    for (const [name, subject] of keys) {
      const now = this.#clock.now();
      const waitMs = await this.#hit(name, subject, this.#db, now);
      if (waitMs > 0) {
        await new Reservation(0, refunds).refund();
        return new Reservation(waitMs);
      }
      for (const one of windowsOf(name, subject))
        refunds.push(async () => rows.removeHit(this.#db, this.#digestOf(name, one.subject), now));
    }
    return new Reservation(0, refunds);
  }

  async consumeAll(keys: readonly RateLimitKey[]): Promise<Reservation> {
    const reservation = await this.reserve(keys);
    if (reservation.waitMs > 0) throw tooManyRequests(reservation.waitMs);
    return reservation;
  }

  async countHits(name: RateLimitName, subject: string | number): Promise<number> {
    const since = this.#clock.now().getTime() - LIMITS[name].windowMs;
    const hits = await rows.readHits(this.#db, this.#digestOf(name, subject));
    return hits.filter((at) => at.getTime() > since).length;
  }

  /** Returns false if the window is full, and then counts nothing. */
  async tryConsume(name: RateLimitName, subject: string | number, db: Db): Promise<boolean> {
    return !this.#isOn || (await this.#hit(name, subject, db)) === 0;
  }

  /** An attempt fails by returning null. A full window hides the results of all attempts, even simultaneous ones. */
  async countFailures<T>(keys: readonly RateLimitKey[], attempt: () => Promise<T | null>): Promise<T | null> {
    await this.#throwIfFull(keys);
    const result = await attempt();
    if (result !== null) await this.#throwIfFull(keys);
    else for (const [name, subject] of keys) await this.consume(name, subject);
    return result;
  }

  async record(name: RateLimitName, subject: string | number): Promise<void> {
    if (!this.#isOn) return;
    for (const window of windowsOf(name, subject)) await rows.recordNewestHit(this.#db, this.#hitOf(window));
  }

  async isFull(name: RateLimitName, subject: string | number): Promise<boolean> {
    return this.#isOn && (await this.#waitMs([name, subject])) > 0;
  }

  async deleteExpired(): Promise<void> {
    await rows.deleteExpired(this.#db, this.#clock.now());
  }

  async #hit(
    name: RateLimitName,
    subject: string | number,
    db: Db,
    now = this.#clock.now(),
  ): Promise<number> {
    const [window, ...wider] = windowsOf(name, subject);
    const widerMs = await this.#longestWaitMs(wider, db);
    if (widerMs > 0) return widerMs;
    if (!(await rows.recordHit(db, this.#hitOf(window, now))))
      return Math.max(1, await this.#windowWaitMs(window, db));
    for (const one of wider) await rows.recordNewestHit(db, this.#hitOf(one, now));
    return 0;
  }

  #hitOf({ name, subject, max }: Window, now = this.#clock.now()) {
    const { windowMs }: Limit = LIMITS[name];
    return {
      subject_digest: this.#digestOf(name, subject),
      max,
      since: new Date(now.getTime() - windowMs),
      now,
      expires_at: new Date(now.getTime() + windowMs),
    };
  }

  async #throwIfFull(keys: readonly RateLimitKey[]): Promise<void> {
    if (!this.#isOn) return;
    const longest = Math.max(...(await Promise.all(keys.map((key) => this.#waitMs(key)))));
    if (longest > 0) throw tooManyRequests(longest);
  }

  async #waitMs([name, subject]: RateLimitKey): Promise<number> {
    return this.#longestWaitMs(windowsOf(name, subject), this.#db);
  }

  async #longestWaitMs(windows: readonly Window[], db: Db): Promise<number> {
    return Math.max(0, ...(await Promise.all(windows.map((window) => this.#windowWaitMs(window, db)))));
  }

  async #windowWaitMs(window: Window, db: Db): Promise<number> {
    const now = this.#clock.now();
    return timeUntilRoomMs(window, await rows.readHits(db, this.#digestOf(window.name, window.subject)), now);
  }

  #digestOf(name: RateLimitName, subject: string | number): Buffer {
    return this.#encryption.blindIndex(`${name}\0${subject}`, "rate_limit");
  }
}

function capacityOf(name: RateLimitName): number {
  const { max, batch = 1 }: Limit = LIMITS[name];
  return max / batch;
}

/** A limit named `…_per_network` also counts the wider networks, which bounds the rows of an IPv6 provider. */
function windowsOf(name: RateLimitName, subject: string | number): [Window, ...Window[]] {
  const max = capacityOf(name);
  const wider = name.endsWith("_per_network") ? widerNetworksOf(String(subject)) : [];
  return [
    { name, subject, max },
    ...wider.map(({ network, factor }) => ({ name, subject: network, max: max * factor })),
  ];
}

function timeUntilRoomMs({ name, max }: Window, hits: readonly Date[], now: Date): number {
  const oldest = hits.at(-max);
  return oldest ? oldest.getTime() + LIMITS[name].windowMs - now.getTime() : 0;
}

export function tooManyRequests(waitMs: number, error: ErrorCode = "too_many_requests"): ApiError {
  return new ApiError(error, { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}
