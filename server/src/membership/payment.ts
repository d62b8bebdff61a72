import type { Capture, PayPalOrder, Refund } from "../integrations/paypal/payments.ts";
import { readMoney, smallestOf } from "./order-money.ts";
import type { OrderState } from "./tables.ts";
import type { Currency } from "@alcove/contract/prices";

/** What PayPal has done about an order, as far as it said so. */
export interface Payment {
  /** PayPal's id of the order it speaks of; null where it spoke of the money alone. */
  readonly paypalOrderId: string | null;
  /** The capture that counts: one that took money before one that did not. */
  readonly capture: Capture | null;
  readonly refunds: readonly Refund[];
}

const TAKEN = ["COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED", "REVERSED"];
const BY_WORTH = [...TAKEN, "PENDING"];

/** What an order at PayPal says of the money. */
export function paymentOf(seen: PayPalOrder): Payment {
  const payments = seen.purchase_units.flatMap((unit) =>
    unit.payments ? [{ ...unit.payments, custom_id: unit.custom_id }] : [],
  );
  const captures = payments.flatMap(({ captures: some = [], custom_id }) =>
    some.map((capture) => ({ ...capture, custom_id: capture.custom_id ?? custom_id })),
  );
  const capture = captures.find(({ status }) => BY_WORTH.includes(status)) ?? captures.at(-1) ?? null;
  return {
    paypalOrderId: seen.id,
    capture,
    refunds: payments.flatMap(({ refunds = [] }) => refunds),
  };
}

interface Facts {
  readonly currency: Currency;
  readonly price: number;
  readonly state: OrderState;
  readonly paypal_order_id: string;
  readonly capture_id: string | null;
  readonly refunds: Readonly<Record<string, number>>;
  readonly refunded: number;
}

/** What a payment makes of an order. */
export interface Verdict {
  readonly state: OrderState;
  readonly captureId: string | null;
  readonly refunds: Record<string, number>;
  /** How much of the price was given back, in the smallest unit; never less than was known before. */
  readonly refunded: number;
}

const PAID: readonly OrderState[] = ["completed", "partly_refunded", "refunded"];

export function isPaidState(state: OrderState): boolean {
  return PAID.includes(state);
}

/**
 * What is known of an order after looking at a payment. Looking again, at the same or at something older, changes
 * nothing: what was paid stays paid, and what was given back stays given back.
 *
 * A payment of another sum, currency or order makes the order `unclear`.
 */
export function judge(order: Facts, own: string | null, payment: Payment): Verdict {
  const { capture } = payment;
  const known = {
    state: order.state,
    captureId: order.capture_id,
    refunds: { ...order.refunds },
    refunded: order.refunded,
  };
  if (!capture) return known;
  if (TAKEN.includes(capture.status) || isPaidState(order.state)) {
    if (!fits(order, own, payment))
      return { ...known, state: isPaidState(order.state) ? order.state : "unclear" };
    const { refunds, refunded } = givenBack(order, payment);
    return { state: stateAfter(order, refunded), captureId: capture.id, refunds, refunded };
  }
  if (order.state === "unclear") return known;
  if (capture.status === "PENDING") return { ...known, state: "pending", captureId: capture.id };
  return ["DECLINED", "FAILED"].includes(capture.status)
    ? { ...known, state: "declined", captureId: capture.id }
    : known;
}

function fits(order: Facts, own: string | null, { paypalOrderId, capture }: Payment): boolean {
  const isSame =
    readMoney(order.currency, capture!.amount) === smallestOf(order.currency, order.price) &&
    (paypalOrderId === null || paypalOrderId === order.paypal_order_id) &&
    (order.capture_id === null || !isPaidState(order.state) || capture!.id === order.capture_id);
  return isSame && (own === null || capture!.custom_id === undefined || capture!.custom_id === own);
}

function givenBack(order: Facts, { capture, refunds: seen }: Payment) {
  const whole = smallestOf(order.currency, order.price);
  const refunds = { ...order.refunds };
  for (const { id, status, amount } of seen) {
    const sum = readMoney(order.currency, amount);
    if (status === "COMPLETED" && sum !== null) refunds[id] = sum;
  }
  const isAllBack = ["REFUNDED", "REVERSED"].includes(capture!.status);
  const sum = Object.values(refunds).reduce((total, one) => total + one, 0);
  return { refunds, refunded: Math.max(order.refunded, isAllBack ? whole : Math.min(sum, whole)) };
}

function stateAfter({ currency, price }: Facts, refunded: number): OrderState {
  if (refunded === 0) return "completed";
  return refunded < smallestOf(currency, price) ? "partly_refunded" : "refunded";
}
