import type { AnswerOf } from "@alcove/contract/call";
import { captureOrder, getOrder, type Order } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { api, Offline, Refused } from "../../lib/api.ts";

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
export interface Returned {
  outcome: Outcome;
  order: Order | null;
  user: User | null;
}

/**
 * Takes the money of an approved order, or learns what became of it; harmless to repeat, since the server takes it once.
 *
 * @throws Refused when the session is over
 */
export async function capture(orderId: string): Promise<Returned> {
  try {
    const answer = await api(captureOrder, { order_id: orderId });
    return { outcome: judge(answer), order: answer.order, user: answer.user };
  } catch (error) {
    return { outcome: outcomeOf(error), order: null, user: null };
  }
}

/** The order that a buyer went back from without paying. */
export async function lookAtCancelled(orderId: string): Promise<Returned> {
  const order = await api(getOrder, { order_id: orderId }).catch((error: unknown) => {
    if (error instanceof Refused && error.status !== 401) return null;
    throw error;
  });
  return { outcome: { kind: "cancelled" }, order: order?.order ?? null, user: null };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Offline) return { kind: "unknown" };
  if (!(error instanceof Refused) || error.status === 401) throw error;
  // Whoever was too busy or too broken to answer may have done it.
  return error.status >= 429 ? { kind: "unknown" } : { kind: "refused", sentence: error.message };
}

/** What an answer means (specification, section 4): ours is what counts, PayPal's words say why. */
export function judge({
  paypal_order_data: data,
  order,
}: Pick<AnswerOf<typeof captureOrder>, "paypal_order_data" | "order">): Outcome {
  const status = data.purchase_units?.[0]?.payments.captures[0]?.status ?? data.status ?? null;
  if (order.status === "completed" || order.status === "partly_refunded") return { kind: "paid" };
  if (order.status === "refunded") return { kind: "given_back" };
  if (order.status === "pending") return { kind: "pending", status: status ?? "PENDING" };
  const issue = data.details?.[0]?.issue;
  if (issue === "INSTRUMENT_DECLINED") return { kind: "declined" };
  if (issue === "ORDER_NOT_APPROVED" || issue === "PAYER_ACTION_REQUIRED") return { kind: "unapproved" };
  return { kind: "failed", status: issue ? null : status, debugId: data.debug_id ?? null };
}
