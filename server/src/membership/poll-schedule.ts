import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, HOUR_MS, MINUTE_MS, pollTimeAfter } from "../platform/clock.ts";
import type { OrderState } from "./tables.ts";

/** The interval is half the order's age, between `minMs` and `maxMs`; polling ends at the age of `untilMs`. */
const INTERVALS: Partial<
  Record<OrderState | "refunding", { minMs: number; maxMs: number; untilMs: number }>
> = {
  capturing: { minMs: 2 * MINUTE_MS, maxMs: DAY_MS, untilMs: Infinity },
  created: { minMs: 10 * MINUTE_MS, maxMs: 12 * HOUR_MS, untilMs: Infinity },
  declined: { minMs: 10 * MINUTE_MS, maxMs: 12 * HOUR_MS, untilMs: Infinity },
  pending: { minMs: 10 * MINUTE_MS, maxMs: DAY_MS, untilMs: Infinity },
  refunding: { minMs: 2 * MINUTE_MS, maxMs: DAY_MS, untilMs: Infinity },
  // Finds refunds without a webhook; a chargeback can take half a year.
  completed: { minMs: DAY_MS, maxMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
  partly_refunded: { minMs: DAY_MS, maxMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
};

export const UNPAID_LIFETIME_MS = RETENTION.unpaidOrderDays * DAY_MS;

/** The last poll in the hold of a fee finds a chargeback whose webhook was lost. */
const LAST_POLL_IN_HOLD_MS = HOUR_MS;

/** Returns null if the state is final. `since` is the payment, if any; `holdMs` is the hold of its fee. */
export function nextPollAt(state: OrderState | "refunding", since: Date, now: Date, holdMs = 0): Date | null {
  const interval = INTERVALS[state];
  const ageMs = now.getTime() - since.getTime();
  if (!interval || ageMs > interval.untilMs) return null;
  const intervalMs = Math.min(Math.max(ageMs / 2, interval.minMs), interval.maxMs);
  const lastInHoldMs = holdMs - LAST_POLL_IN_HOLD_MS - ageMs;
  return pollTimeAfter(now, lastInHoldMs > 0 ? Math.min(intervalMs, lastInHoldMs) : intervalMs);
}
