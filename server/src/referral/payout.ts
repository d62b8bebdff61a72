import type { Money, Payout } from "../integrations/paypal/payments.ts";
import { DAY_MS, MINUTE_MS } from "../platform/clock.ts";
import type { TransferState } from "./tables.ts";

/** Nothing arrived, or no more than came back. */
const CAME_BACK: Readonly<Record<string, TransferState>> = {
  FAILED: "failed",
  BLOCKED: "failed",
  DENIED: "failed",
  CANCELED: "failed",
  RETURNED: "returned",
  REFUNDED: "returned",
  REVERSED: "returned",
};

/** What a payout at PayPal makes of a transfer. An unclaimed one is with PayPal: it comes back after 30 days. */
export function stateOf({ status, item }: Payout): TransferState {
  if (item?.status === "SUCCESS") return "paid";
  return CAME_BACK[item?.status ?? status] ?? CAME_BACK[status] ?? "accepted";
}

/** Whether nothing arrived, or no more than came back: then the amount is available again. */
export function cameBack(state: TransferState): boolean {
  return state === "failed" || state === "returned";
}

/** A sum of PayPal's in cents of USD; null in another currency. */
export function usdCentsOf({ currency_code, value }: Money): number | null {
  return currency_code === "USD" ? Math.round(Number(value) * 100) : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether what PayPal calls a payout by may be the id of a transfer of ours. */
export function isTransferId(id: string): boolean {
  return UUID.test(id);
}

const RANK: Record<TransferState, number> = { sending: 0, accepted: 1, paid: 2, failed: 3, returned: 3 };

/** What is known later: looks may arrive in another order than they were made. */
export function laterOf(known: TransferState, seen: TransferState): TransferState {
  return RANK[seen] > RANK[known] ? seen : known;
}

/** How often PayPal is asked again: pauses grow with the age, from `leastMs` to `mostMs`, up to `untilMs`. */
const PAUSES: Partial<Record<TransferState, { leastMs: number; mostMs: number; untilMs: number }>> = {
  // Longer than any request to PayPal takes. It knows a batch again for 30 days: until then it may be told twice.
  sending: { leastMs: 2 * MINUTE_MS, mostMs: DAY_MS, untilMs: 20 * DAY_MS },
  accepted: { leastMs: 2 * MINUTE_MS, mostMs: DAY_MS, untilMs: Infinity },
  // Recipients may send it back.
  paid: { leastMs: DAY_MS, mostMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
};

/** When PayPal is to be asked again how a transfer stands; null when it is not. */
export function nextLook(state: TransferState, since: Date, now: Date): Date | null {
  const pauses = PAUSES[state];
  const ageMs = now.getTime() - since.getTime();
  if (!pauses || ageMs > pauses.untilMs) return null;
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 2, pauses.leastMs), pauses.mostMs));
}

/** Whether PayPal may be told again of a transfer of which it is not known whether it has it. */
export function maySendAgain(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() <= PAUSES.sending!.untilMs;
}
