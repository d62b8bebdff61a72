import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { LocalAllowances } from "./local-allowance.ts";
import * as rows from "./rate-limits.sql.ts";
import { ApiError } from "../errors.ts";
import type { Encryption } from "./encryption.ts";

interface Limit {
  readonly most: number;
  readonly withinMs: number;
  /** How many a process takes at once, to spend them without asking; 1 unless said. */
  readonly batch?: number;
}

/** All limits (decisions, section 6); whom each counts is for the caller to say. */
const LIMITS = {
  /** Of an account, of one of its devices, or of a session. */
  wrong_passwords: { most: 10, withinMs: 15 * MINUTE_MS },
  wrong_passwords_of_network: { most: 30, withinMs: 15 * MINUTE_MS },
  emails: { most: 5, withinMs: HOUR_MS },
  emails_of_network: { most: 20, withinMs: HOUR_MS },
  /** Ten rounds of five tries each. */
  wrong_codes: { most: 50, withinMs: HOUR_MS },
  /** What Google is asked of tokens. Signing up with Google takes four questions, logging in one. */
  google_checks_of_network: { most: 60, withinMs: 15 * MINUTE_MS },
  positions: { most: 30, withinMs: HOUR_MS },
  messages: { most: 60, withinMs: MINUTE_MS },
  reads: { most: 600, withinMs: MINUTE_MS, batch: 20 },
  refreshes: { most: 30, withinMs: MINUTE_MS },
  /** Each takes seconds of a core. */
  icon_previews: { most: 30, withinMs: HOUR_MS },
  exports: { most: 10, withinMs: HOUR_MS },
  reports: { most: 20, withinMs: DAY_MS },
  orders: { most: 60, withinMs: HOUR_MS },
  coupon_checks: { most: 20, withinMs: HOUR_MS },
  coupon_uses: { most: 20, withinMs: HOUR_MS },
  transfers: { most: 20, withinMs: HOUR_MS },
  /** Events that claim to be PayPal's and are not. */
  forged_webhooks_of_network: { most: 60, withinMs: 15 * MINUTE_MS },
  notification_changes: { most: 60, withinMs: HOUR_MS },
  reading_changes: { most: 60, withinMs: HOUR_MS },
  seen_news: { most: 30, withinMs: MINUTE_MS },
  tickets: { most: 60, withinMs: MINUTE_MS },
} as const satisfies Record<string, Limit>;

export type RateLimitName = keyof typeof LIMITS;

/** Something that is counted: what, and of whom. */
export type Counted = readonly [kind: RateLimitName, subject: string | number];

/**
 * Keeps to the limits, for all processes together: a sliding window over the times of the latest hits, in the database.
 * Whom something is counted of is stored as a keyed digest alone.
 */
export class RateLimits {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #encryption: Encryption;
  readonly #isOn: boolean;
  readonly #batches: LocalAllowances;

  constructor(parts: { db: Db; clock: Clock; encryption: Encryption; isOn: boolean }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#encryption = parts.encryption;
    this.#isOn = parts.isOn;
    this.#batches = new LocalAllowances(parts.clock);
  }

  /**
   * Counts one thing, or refuses with `too_many_requests` once there are too many; what is refused does not count.
   * In a transaction it counts only if that commits.
   */
  async take(kind: RateLimitName, subject: string | number, db: Db = this.#db): Promise<void> {
    if (!this.#isOn) return;
    const { withinMs, batch = 1 }: Limit = LIMITS[kind];
    const hit = () => this.#hit(kind, subject, db);
    const longMs =
      batch === 1 ? await hit() : await this.#batches.spend(`${kind} ${subject}`, batch, withinMs, hit);
    if (longMs > 0) throw tooMany(longMs);
  }

  /**
   * Makes a try that counts only if it fails, by answering null.
   *
   * Nobody learns how a try ended once the limit is reached, however many are on their way at the same moment: a
   * wrong one is told only if it could be counted, a right one only if there was room for a wrong one.
   */
  async takeFailures<T>(counted: readonly Counted[], attempt: () => Promise<T | null>): Promise<T | null> {
    await this.#refuseFull(counted);
    const outcome = await attempt();
    if (outcome !== null) await this.#refuseFull(counted);
    else for (const [kind, subject] of counted) await this.take(kind, subject);
    return outcome;
  }

  /** Forgets what is too old to count. */
  async sweep(): Promise<void> {
    await rows.deleteForgotten(this.#db, this.#clock.now());
  }

  /** Counts one hit, or answers how long there is no room for it. */
  async #hit(kind: RateLimitName, subject: string | number, db: Db): Promise<number> {
    const { withinMs }: Limit = LIMITS[kind];
    const now = this.#clock.now();
    const subject_digest = this.#digestOf(kind, subject);
    const isCounted = await rows.recordHit(db, {
      subject_digest,
      most: roomOf(kind),
      since: new Date(now.getTime() - withinMs),
      now,
      forgotten_at: new Date(now.getTime() + withinMs),
    });
    return isCounted ? 0 : Math.max(1, waitMs(kind, await rows.readHits(db, subject_digest), now));
  }

  async #refuseFull(counted: readonly Counted[]): Promise<void> {
    if (!this.#isOn) return;
    const now = this.#clock.now();
    const waits = await Promise.all(
      counted.map(async ([kind, subject]) =>
        waitMs(kind, await rows.readHits(this.#db, this.#digestOf(kind, subject)), now),
      ),
    );
    const longest = Math.max(...waits);
    if (longest > 0) throw tooMany(longest);
  }

  #digestOf(kind: RateLimitName, subject: string | number): Buffer {
    return this.#encryption.blindIndex(`${kind}\0${subject}`, "limit");
  }
}

/** How many hits fit into the window. */
function roomOf(kind: RateLimitName): number {
  const { most, batch = 1 }: Limit = LIMITS[kind];
  return most / batch;
}

/** How long until one more fits into the window; 0 or less when one does now. */
function waitMs(kind: RateLimitName, hits: readonly Date[], now: Date): number {
  const oldest = hits.at(-roomOf(kind));
  return oldest ? oldest.getTime() + LIMITS[kind].withinMs - now.getTime() : 0;
}

function tooMany(longMs: number) {
  return new ApiError("too_many_requests", { retryAfterSeconds: Math.ceil(longMs / SECOND_MS) });
}
