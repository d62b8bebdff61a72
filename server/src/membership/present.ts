import type { Order, OrderState as ShownState, PaypalOrderData } from "@alcove/contract/membership";
import { moneyOf, type PayPalOrder } from "../integrations/paypal/payments.ts";
import type { OrderRow } from "./orders.sql.ts";
import { paymentOf } from "./payment.ts";
import type { OrderState } from "./tables.ts";

/** Whether money was taken is not known yet, or not what for: to its member the order is on its way. */
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

/** An order as its member sees it. */
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

/** What PayPal said of an order: of its captures the one that counts. */
export function presentPayPalOrder(seen: PayPalOrder): PaypalOrderData {
  const { id, status } = seen;
  const { capture } = paymentOf(seen);
  if (!capture) return { id, status };
  const { currency_code, value } = capture.amount;
  const shown = { id: capture.id, status: capture.status, amount: { currency_code, value } };
  return { id, status, purchase_units: [{ payments: { captures: [shown] } }] };
}

/** The same of an order that was paid before, without asking again. */
export function presentStored({ paypal_order_id, capture_id, price, currency }: OrderRow): PaypalOrderData {
  const capture = { id: capture_id!, status: "COMPLETED", amount: moneyOf(currency, price) };
  return {
    id: paypal_order_id,
    status: "COMPLETED",
    purchase_units: [{ payments: { captures: [capture] } }],
  };
}
