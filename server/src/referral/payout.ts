import type { Money, Payout } from "../integrations/paypal/payments.ts";
import { DAY_MS, MINUTE_MS, pollTimeAfter } from "../platform/clock.ts";
import type { TransferState } from "./tables.ts";

const RETURNED_STATES: Readonly<Record<string, TransferState>> = {
  FAILED: "failed",
  BLOCKED: "failed",
  DENIED: "failed",
  CANCELED: "failed",
  RETURNED: "returned",
  REFUNDED: "returned",
  REVERSED: "returned",
};

/** NOTE: PayPal returns an unclaimed payout after 30 days. */
export function toTransferState({ status, item }: Payout): TransferState {
  if (item?.status === "SUCCESS") return "paid";
  return RETURNED_STATES[item?.status ?? status] ?? RETURNED_STATES[status] ?? "accepted";
}

export function isReturned(state: TransferState): boolean {
  return state === "failed" || state === "returned";
}

export function toUsdCents({ currency_code, value }: Money): number | null {
  return currency_code === "USD" ? Math.round(Number(value) * 100) : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isTransferId(id: string): boolean {
  return UUID.test(id);
}

const RANK: Record<TransferState, number> = { sending: 0, accepted: 1, paid: 2, failed: 3, returned: 3 };

/** Ignores an older state, because polls may finish out of order. */
export function laterState(known: TransferState, seen: TransferState): TransferState {
  return RANK[seen] > RANK[known] ? seen : known;
}

/** The interval is half the transfer's age, between `minMs` and `maxMs`; polling ends at the age of `untilMs`. */
const INTERVALS: Partial<Record<TransferState, { minMs: number; maxMs: number; untilMs: number }>> = {
  sending: { minMs: 2 * MINUTE_MS, maxMs: DAY_MS, untilMs: 20 * DAY_MS },
  accepted: { minMs: 2 * MINUTE_MS, maxMs: DAY_MS, untilMs: Infinity },
  paid: { minMs: DAY_MS, maxMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
};

export function nextPollAt(state: TransferState, since: Date, now: Date): Date | null {
  const interval = INTERVALS[state];
  const ageMs = now.getTime() - since.getTime();
  if (!interval || ageMs > interval.untilMs) return null;
  return pollTimeAfter(now, Math.min(Math.max(ageMs / 2, interval.minMs), interval.maxMs));
}

export function canResend(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() <= INTERVALS.sending!.untilMs;
}
