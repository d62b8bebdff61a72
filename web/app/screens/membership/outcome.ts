import type { ResponseOf } from "@alcove/contract/call";
import { captureOrder, getOrder, type Order } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import { OfflineError, ApiError } from "../../lib/errors.ts";

/** What became of an order that its buyer comes back from. */
export type Outcome =
  /** The membership is the buyer's. */
  | { kind: "paid" }
  /** Paid before, and given back since. */
  | { kind: "given_back" }
  /** The money is on its way, or not known to have arrived. */
  | { kind: "pending"; status: string }
  /** Another way to pay is needed. */
  | { kind: "declined" }
  | { kind: "unapproved" }
  | { kind: "cancelled" }
  /** PayPal will not have it; `status` where there is one to tell. */
  | { kind: "failed"; status: string | null; debugId: string | null }
  /** Nobody could be asked: it may have been paid. */
  | { kind: "unknown" }
  /** Refused by us, with the server's sentence. */
  | { kind: "refused"; sentence: string };

/** An outcome, with what the server said beside it, as far as it said anything. */
export interface PaymentResult {
  outcome: Outcome;
  order: Order | null;
  user: User | null;
}

/**
 * Takes the money of an approved order, or learns what became of it; harmless to repeat, since the server takes it once.
 *
 * @throws Refused when the session is over
 */
export async function capture(orderId: string): Promise<PaymentResult> {
  try {
    const answer = await api(captureOrder, { order_id: orderId });
    return { outcome: outcomeOfCapture(answer), order: answer.order, user: answer.user };
  } catch (error) {
    return { outcome: outcomeOfError(error), order: null, user: null };
  }
}

/**
 * What became of an order that its buyer went back from; null for one that is not the buyer's. That address stays in
 * PayPal's window and the browser's history after the same order was paid. Nothing is taken here.
 *
 * @throws Refused when the session is over
 */
export async function readCancelledOrder(orderId: string): Promise<PaymentResult | null> {
  try {
    const { order } = await api(getOrder, { order_id: orderId });
    return { outcome: outcomeOfStatus(order) ?? { kind: "cancelled" }, order, user: null };
  } catch (error) {
    const outcome = outcomeOfError(error);
    return outcome.kind === "refused" ? null : { outcome, order: null, user: null };
  }
}

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof OfflineError) return { kind: "unknown" };
  if (!(error instanceof ApiError) || error.status === 401) throw error;
  // Whoever was too busy or too broken to answer may have done it.
  return error.status >= 429 ? { kind: "unknown" } : { kind: "refused", sentence: error.message };
}

/** What an answer means (specification, section 4): ours is what counts, PayPal's words say why. */
export function outcomeOfCapture({
  paypal_order_data: data,
  order,
}: Pick<ResponseOf<typeof captureOrder>, "paypal_order_data" | "order">): Outcome {
  const status = data.purchase_units?.[0]?.payments.captures[0]?.status ?? data.status ?? null;
  const known = outcomeOfStatus(order, status);
  if (known) return known;
  const issue = data.details?.[0]?.issue;
  if (issue === "INSTRUMENT_DECLINED") return { kind: "declined" };
  if (issue === "ORDER_NOT_APPROVED" || issue === "PAYER_ACTION_REQUIRED") return { kind: "unapproved" };
  return { kind: "failed", status: issue ? null : status, debugId: data.debug_id ?? null };
}

/** What our own status of an order says; null where nothing was paid for it. `status` is PayPal's word, if it said one. */
function outcomeOfStatus(order: Pick<Order, "status">, status: string | null = null): Outcome | null {
  if (order.status === "completed" || order.status === "partly_refunded") return { kind: "paid" };
  if (order.status === "refunded") return { kind: "given_back" };
  return order.status === "pending" ? { kind: "pending", status: status ?? "PENDING" } : null;
}
