import type { AppContext } from "../platform/context.ts";
import {
  type Payments,
  PaymentRejectedError,
  PaymentUnknownError,
  type Refund,
  toMoney,
} from "../integrations/paypal/payments.ts";
import * as archive from "./order-archive.sql.ts";
import * as rows from "./orders.sql.ts";
import { type Payment, paymentOf, sumOfRefunds } from "./payment.ts";
import { type OrderRef, settleOrder } from "./settle-order.ts";

type Withdrawn = rows.OrderRow | archive.ArchivedOrderRow;

export async function sendFirstRefund(ctx: AppContext, order: rows.OrderRow): Promise<void> {
  await logErrors(ctx, order, async (payments) => send(ctx, payments, order, order));
}

/** Reads PayPal's state first, which has an earlier request. */
export async function sendRefundAgain(ctx: AppContext, order: rows.OrderRow): Promise<void> {
  await logErrors(ctx, order, (payments) => repeatRefund(ctx, payments, order));
}

async function logErrors(ctx: AppContext, order: OrderRef, work: (payments: Payments) => Promise<void>) {
  if (!ctx.payments) return;
  try {
    await work(ctx.payments);
  } catch (error) {
    if (!(error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)) throw error;
    ctx.log.warn({ err: error, order: order.order_id }, "refund of a withdrawal failed, it is repeated");
  }
}

export async function repeatRefund(
  ctx: AppContext,
  payments: Payments,
  ref: OrderRef,
  seenRefunds: readonly Refund[] = [],
): Promise<void> {
  const before = await find(ctx, ref);
  if (!before?.capture_id || !before.paypal_order_id) return;
  const outcome = await payments.showOrder(before.paypal_order_id);
  const payment =
    outcome.kind === "order"
      ? paymentOf(outcome.order)
      : paymentOfCapture(await payments.showCapture(before.capture_id), []);
  const refunds = [...payment.refunds, ...seenRefunds];
  await settleOrder(ctx, ref, { ...payment, refunds });
  const isUnderWay = refunds.some(({ status }) => status === "PENDING");
  const after = await find(ctx, ref);
  if (after && !isUnderWay) await send(ctx, payments, ref, after);
}

async function send(ctx: AppContext, payments: Payments, ref: OrderRef, order: Withdrawn): Promise<void> {
  const { capture_id: captureId, paypal_order_id, currency, withdrawal_request_no: no } = order;
  const units = order.refunded - sumOfRefunds(order);
  if (order.withdrawal_state !== "pending" || !paypal_order_id || !captureId || units <= 0) return;
  const requestId = `withdrawal-${captureId}-${units}-${no}`;
  const result = await payments.refundCapture({ captureId, requestId, currency, units });
  if (result.kind === "refund") {
    const capture = { id: captureId, status: "PARTIALLY_REFUNDED", amount: toMoney(currency, order.price) };
    await settleOrder(ctx, ref, paymentOfCapture(capture, [result.refund]));
    return;
  }
  ctx.log.error(
    { capture: captureId, reasons: result.rejection.details.map(({ issue }) => issue) },
    "PayPal rejected the refund of a withdrawal, pay it back by hand if it stays so",
  );
  const next = { withdrawal_request_no: no + 1 };
  if (ref.member_no === null) await archive.updateArchived(ctx.db, ref.order_id, next);
  else await rows.updateOrder(ctx.db, { member_no: ref.member_no, order_id: ref.order_id }, next);
}

async function find(ctx: AppContext, { member_no, order_id }: OrderRef): Promise<Withdrawn | null> {
  if (member_no === null) return archive.findArchived(ctx.db, order_id);
  return rows.findOrder(ctx.db, { member_no, order_id });
}

export function paymentOfCapture(capture: Payment["capture"], refunds: readonly Refund[]): Payment {
  return { paypalOrderId: null, capture, refunds, payer: { ids: [], emails: [] }, payerCountry: null };
}
