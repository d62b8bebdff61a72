import type { Order, OrderState as ShownState, PaypalOrderData } from "@alcove/contract/membership";
import { toMoney, type PayPalOrder } from "../integrations/paypal/payments.ts";
import type { OrderRow } from "./orders.sql.ts";
import { paymentOf } from "./payment.ts";
import type { OrderState } from "./tables.ts";

/** Members see uncertain payments as pending. */
const SHOWN: Record<OrderState, ShownState> = {
  created: "created",
  capturing: "pending",
  declined: "declined",
  pending: "pending",
  completed: "completed",
  partly_refunded: "partly_refunded",
  refunded: "refunded",
  unclear: "pending",
};

export function presentOrder(order: OrderRow): Order {
  const { order_id, year, month, price, currency, state, paid_at } = order;
  return {
    id: order_id,
    year,
    month,
    price,
    currency,
    status: SHOWN[state],
    payment_successed_at: paid_at?.toISOString() ?? null,
  };
}

/** PayPal's order with its decisive capture only. */
export function presentPayPalOrder(seen: PayPalOrder): PaypalOrderData {
  const { id, status } = seen;
  const { capture } = paymentOf(seen);
  if (!capture) return { id, status };
  const { currency_code, value } = capture.amount;
  const shown = { id: capture.id, status: capture.status, amount: { currency_code, value } };
  return { id, status, purchase_units: [{ payments: { captures: [shown] } }] };
}

/** The data of an order that was already paid, without a request to PayPal. */
export function presentStored({ paypal_order_id, capture_id, price, currency }: OrderRow): PaypalOrderData {
  const capture = { id: capture_id!, status: "COMPLETED", amount: toMoney(currency, price) };
  return {
    id: paypal_order_id,
    status: "COMPLETED",
    purchase_units: [{ payments: { captures: [capture] } }],
  };
}
