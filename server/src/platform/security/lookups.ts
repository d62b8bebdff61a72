import { DAY_MS, HOUR_MS } from "../clock.ts";
import { ApiError } from "../errors.ts";
import type { RateLimitKey, RateLimits } from "./rate-limits.ts";

const UNKNOWN_USER_IDS = { name: "unknown_user_ids", max: 30, windowMs: HOUR_MS };
const OPENED_PROFILES = { name: "opened_profiles", max: 60, windowMs: DAY_MS };
const NO_MEMBER = 0;

interface LookupParts {
  readonly rateLimits: RateLimits;
  readonly findMemberId: (userId: string) => Promise<number | null>;
  readonly hasMet: (me: number, other: number) => Promise<boolean>;
}

export class Lookups {
  readonly #parts: LookupParts;

  constructor(parts: LookupParts) {
    this.#parts = parts;
  }

  async count<T>(
    me: number,
    { userId, learns }: { userId: string; learns: "user_id" | "profile" },
    lookUp: () => Promise<T>,
  ): Promise<T> {
    const { rateLimits } = this.#parts;
    if (!rateLimits.isOn || (await this.#isFree(me, userId))) return lookUp();
    const unknown: RateLimitKey = [UNKNOWN_USER_IDS, me];
    const opened: RateLimitKey = [OPENED_PROFILES, me];
    await rateLimits.throwIfFull(learns === "profile" ? [unknown, opened] : [unknown]);
    try {
      const result = await lookUp();
      if (learns === "profile") await rateLimits.consume(...opened);
      return result;
    } catch (error) {
      if (error instanceof ApiError && error.code === "user_not_found") await rateLimits.consume(...unknown);
      throw error;
    }
  }

  /** Takes as long for an unknown user id, because a 402 or 429 may follow. */
  async #isFree(me: number, userId: string): Promise<boolean> {
    const other = (await this.#parts.findMemberId(userId)) ?? NO_MEMBER;
    return (await this.#parts.hasMet(me, other)) || other === me;
  }
}
