import type { ResponseOf } from "@alcove/contract/call";
import { captureOrder, getOrder, type Order } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { OfflineError, ApiError } from "../../lib/api/errors.ts";

/** When the buyer returns from PayPal. */
export type Outcome =
  /** The membership is granted. */
  | { kind: "paid" }
  /** Paid, then refunded. */
  | { kind: "given_back" }
  /** The money has not arrived yet. */
  | { kind: "pending"; status: string }
  /** Needs another way to pay. */
  | { kind: "declined" }
  | { kind: "unapproved" }
  | { kind: "cancelled" }
  /** PayPal rejected the payment. `status` is null if PayPal sent none. */
  | { kind: "failed"; status: string | null; debugId: string | null }
  /** No response: the order may be paid. */
  | { kind: "unknown" }
  /** Our server rejected the request. */
  | { kind: "refused"; message: string };

/** `order` and `user` are null if the server sent none. */
export interface PaymentResult {
  outcome: Outcome;
  order: Order | null;
  user: User | null;
}

/**
 * Captures an approved order. Safe to repeat, because the server captures it once.
 *
 * @throws ApiError if the session is over
 */
export async function capture(orderId: string): Promise<PaymentResult> {
  try {
    const response = await api(captureOrder, { order_id: orderId });
    return { outcome: outcomeOfCapture(response), order: response.order, user: response.user };
  } catch (error) {
    return { outcome: outcomeOfError(error), order: null, user: null };
  }
}

/**
 * Reads an order after a cancelled payment, without capturing it. Returns null if it belongs to another member.
 * PayPal's cancel URL stays in the browser's history, so the order may be paid since.
 *
 * @throws ApiError if the session is over
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
  // An overloaded or failed server may have captured the order.
  return error.status >= 429 ? { kind: "unknown" } : { kind: "refused", message: error.message };
}

/** Our order's status decides; PayPal's data gives the reason. */
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

/** Returns null if the order is not paid. `status` is PayPal's, if it sent one. */
function outcomeOfStatus(order: Pick<Order, "status">, status: string | null = null): Outcome | null {
  if (order.status === "completed" || order.status === "partly_refunded") return { kind: "paid" };
  if (order.status === "refunded") return { kind: "given_back" };
  return order.status === "pending" ? { kind: "pending", status: status ?? "PENDING" } : null;
}
