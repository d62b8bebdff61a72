import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import type { OrderState } from "./tables.ts";

/** How often PayPal is asked again how an order stands: pauses grow with its age, from `leastMs` to `mostMs`, up to `untilMs`. */
const PAUSES: Partial<Record<OrderState, { leastMs: number; mostMs: number; untilMs: number }>> = {
  // Longer than any request to PayPal takes.
  capturing: { leastMs: 2 * MINUTE_MS, mostMs: DAY_MS, untilMs: Infinity },
  created: { leastMs: 10 * MINUTE_MS, mostMs: 12 * HOUR_MS, untilMs: Infinity },
  declined: { leastMs: 10 * MINUTE_MS, mostMs: 12 * HOUR_MS, untilMs: Infinity },
  pending: { leastMs: 10 * MINUTE_MS, mostMs: DAY_MS, untilMs: Infinity },
  // For refunds and chargebacks that no webhook told of; a chargeback comes within half a year.
  completed: { leastMs: DAY_MS, mostMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
  partly_refunded: { leastMs: DAY_MS, mostMs: 14 * DAY_MS, untilMs: 200 * DAY_MS },
};

/** After so long nobody comes to pay any more: PayPal itself has forgotten an order that was not paid. */
export const UNPAID_LIFE_MS = 7 * DAY_MS;

/** When PayPal is to be asked again how an order in this state stands; null when nothing more can come. */
export function nextLook(state: OrderState, since: Date, now: Date): Date | null {
  const pauses = PAUSES[state];
  const ageMs = now.getTime() - since.getTime();
  if (!pauses || ageMs > pauses.untilMs) return null;
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 2, pauses.leastMs), pauses.mostMs));
}
