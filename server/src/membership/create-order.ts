import type { Order, PaypalOrderData } from "@alcove/contract/membership";
import { monthsOf } from "@alcove/contract/calendar";
import { type Currency, priceOf } from "@alcove/contract/prices";
import { lockMember } from "../members/locks.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import {
  type OrderResult,
  type Payments,
  PaymentRejectedError,
  PaymentUnknownError,
} from "../integrations/paypal/payments.ts";
import { ApiError } from "../platform/errors.ts";
import { conditionsOfNewOrder, encryptConditions } from "./conditions.ts";
import { nextPollAt } from "./poll-schedule.ts";
import { newOrderId, timeOfOrder } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, paymentOf } from "./payment.ts";
import { presentOrder, presentPayPalOrder, presentStored } from "./present.ts";
import { settleOrder } from "./settle-order.ts";

interface PlanInput {
  readonly currency: Currency;
  readonly year: number;
  readonly month: number;
  readonly country?: string | null | undefined;
  readonly start_at_once?: string | null | undefined;
}

/**
 * If PayPal's response is lost, no buyer can approve the order. `screen` is the URL to which PayPal returns the buyer.
 */
export async function createOrder(ctx: AppContext, me: CurrentMember, plan: PlanInput, screen: string) {
  const payments = requirePayments(ctx);
  const { currency, year, month } = plan;
  const now = ctx.clock.now();
  const order_id = newOrderId(now);
  const price = priceOf(currency, plan);
  const conditions = conditionsOfNewOrder(
    ctx,
    { country: plan.country ?? null, startAtOnce: plan.start_at_once === "yes" },
    { months: monthsOf(plan), usd: priceOf("USD", plan) },
  );
  const { paypalOrderId, approveUrl } = await withPayPalErrors(ctx, () =>
    payments.createOrder({
      requestId: `${order_id}-order`,
      orderId: order_id,
      currency,
      amount: price,
      returnUrl: `${screen}?order_id=${order_id}`,
      cancelUrl: `${screen}?cancelled=${order_id}`,
    }),
  );
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const key = { member_no: me.memberId, order_id };
    await rows.insertOrder(tx, {
      ...key,
      kind: "paypal",
      number: null,
      reference: null,
      year,
      month,
      currency,
      price,
      usd_cents: priceOf("USD", plan) * 100,
      encrypted_conditions: await encryptConditions(ctx, key, conditions),
      state: "created",
      paypal_order_id: paypalOrderId,
      capture_id: null,
      refunds: "{}",
      refunded: 0,
      paid_on: null,
      encrypted_paid_at: null,
      next_poll_at: nextPollAt("created", now, now),
    });
    await rows.insertRef(tx, { paypal_id: paypalOrderId, kind: "order", ...key });
    await rows.insertRef(tx, { paypal_id: order_id, kind: "custom_id", ...key });
  });
  return { order_id, paypal_order_id: paypalOrderId, approve_url: approveUrl };
}

/** Concurrent captures in this process share one request, because PayPal rejects a second one with the same id. */
export function createCaptureOrder(ctx: AppContext) {
  const running = new Map<string, Promise<PaypalOrderData>>();
  const runOnce = (id: string, capture: () => Promise<PaypalOrderData>): Promise<PaypalOrderData> => {
    const shared = running.get(id) ?? capture().finally(() => running.delete(id));
    running.set(id, shared);
    return shared;
  };

  return async (
    me: CurrentMember,
    orderId: string,
  ): Promise<{ paypal_order_data: PaypalOrderData; order: Order }> => {
    const key = { member_no: me.memberId, order_id: orderId.toLowerCase() };
    const before = await rows.findOrder(ctx.db, key);
    if (!before || !rows.isAtPayPal(before)) throw new ApiError("order_not_found");
    if (isPaidState(before.state)) {
      return { paypal_order_data: presentStored(before), order: await presentOrder(ctx, before) };
    }
    const payments = requirePayments(ctx);
    const capture = () => withPayPalErrors(ctx, () => captureOrLookUp(ctx, payments, before));
    const data = await runOnce(before.order_id, capture);
    const order = await rows.findOrder(ctx.db, key);
    if (!order) throw new ApiError("order_not_found");
    if (order.state === "unclear") throw new ApiError("payment_unclear");
    return { paypal_order_data: data, order: await presentOrder(ctx, order) };
  };
}

/** If the outcome is unknown, another process may have captured the order. */
async function captureOrLookUp(
  ctx: AppContext,
  payments: Payments,
  order: rows.PayPalOrderRow,
): Promise<PaypalOrderData> {
  try {
    return await captureAtPayPal(ctx, payments, order);
  } catch (error) {
    if (!(error instanceof PaymentUnknownError)) throw error;
    const outcome = await payments.showOrder(order.paypal_order_id);
    if (outcome.kind === "rejected" || !paymentOf(outcome.order).capture) throw error;
    await settleOrder(ctx, order, paymentOf(outcome.order));
    return presentPayPalOrder(outcome.order);
  }
}

/**
 * Commits the state `capturing` first. The request runs outside of any transaction, under an id that changes only after
 * a definite decline. After a crash a repeated call, the webhook or the job finds the payment.
 */
export async function captureAtPayPal(
  ctx: AppContext,
  payments: Payments,
  order: rows.PayPalOrderRow,
): Promise<PaypalOrderData> {
  const now = ctx.clock.now();
  const attempt = await rows.beginCapture(ctx.db, order, nextPollAt("capturing", now, now)!);
  const outcome = await (attempt
    ? payments.captureOrder({
        paypalOrderId: order.paypal_order_id,
        requestId: `${attempt.order_id}-${attempt.request_no}`,
      })
    : payments.showOrder(order.paypal_order_id));
  if (outcome.kind === "order") {
    await settleOrder(ctx, order, paymentOf(outcome.order));
    return presentPayPalOrder(outcome.order);
  }
  if (attempt) await recordRejection(ctx, attempt, outcome);
  const { details, debug_id } = outcome.rejection;
  const issues = details.map(({ issue, description = "" }) => ({ issue, description }));
  return {
    details: issues.length > 0 ? issues : [{ issue: outcome.rejection.name, description: "" }],
    ...(debug_id && { debug_id }),
  };
}

async function recordRejection(
  ctx: AppContext,
  attempt: rows.OrderRow,
  outcome: OrderResult & { kind: "rejected" },
) {
  const isUnapproved = outcome.rejection.details.some(({ issue }) => issue === "ORDER_NOT_APPROVED");
  const state = isUnapproved ? "created" : "declined";
  const now = ctx.clock.now();
  await rows.endCapture(ctx.db, attempt, state, nextPollAt(state, timeOfOrder(attempt), now)!);
}

function requirePayments(ctx: AppContext): Payments {
  if (!ctx.payments) throw new ApiError("payments_off");
  return ctx.payments;
}

async function withPayPalErrors<T>(ctx: AppContext, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof PaymentUnknownError) {
      ctx.log.warn({ err: error }, "no response from PayPal");
      throw new ApiError("payments_unavailable");
    }
    if (error instanceof PaymentRejectedError) {
      ctx.log.error({ err: error }, "PayPal rejected our request");
      throw new ApiError("payments_unavailable");
    }
    throw error;
  }
}
