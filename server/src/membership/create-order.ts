import type { Order, PaypalOrderData } from "@alcove/contract/membership";
import { type Currency, priceOf } from "@alcove/contract/prices";
import { lockMember } from "../accounts/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import {
  type Outcome,
  type Payments,
  PaymentRefused,
  PaymentUnknown,
} from "../integrations/paypal/payments.ts";
import { ApiError } from "../platform/errors.ts";
import { nextLook } from "./poll-schedule.ts";
import { newOrderId } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, paymentOf } from "./payment.ts";
import { presentOrder, presentPayPalOrder, presentStored } from "./present.ts";
import { settle } from "./settle-order.ts";

interface Wish {
  readonly currency: Currency;
  readonly year: number;
  readonly month: number;
}

/**
 * Begins to buy. The order is made at PayPal under our id first and stored then: one whose answer is lost is nobody's,
 * and nobody can approve it. `screen` is the address that PayPal leads the buyer back to.
 */
export async function createOrder(ctx: AppContext, me: CurrentMember, wish: Wish, screen: string) {
  const payments = paymentsOf(ctx);
  const { currency, year, month } = wish;
  const now = ctx.clock.now();
  const order_id = newOrderId(now);
  const price = priceOf(currency, wish);
  const { paypalOrderId, approveUrl } = await reaching(ctx, () =>
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
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required"); // deleted since the request came
    const key = { member_no: me.memberId, order_id };
    await rows.insertOrder(tx, {
      ...key,
      year,
      month,
      currency,
      price,
      usd_cents: priceOf("USD", wish) * 100,
      state: "created",
      paypal_order_id: paypalOrderId,
      capture_id: null,
      refunds: "{}",
      refunded: 0,
      created_at: now,
      paid_at: null,
      look_at: nextLook("created", now, now),
    });
    await rows.insertRef(tx, { paypal_id: paypalOrderId, kind: "order", ...key });
    await rows.insertRef(tx, { paypal_id: order_id, kind: "own", ...key });
  });
  return { order_id, paypal_order_id: paypalOrderId, approve_url: approveUrl };
}

/**
 * Makes what takes the money of an order for its buyer, and answers how the order stands then.
 *
 * Who asks while this process asks PayPal for the same order waits for the same answer: PayPal would refuse to say.
 */
export function makeCaptureOrder(ctx: AppContext) {
  const underWay = new Map<string, Promise<PaypalOrderData>>();
  const oneAtATime = (id: string, take: () => Promise<PaypalOrderData>): Promise<PaypalOrderData> => {
    const running = underWay.get(id) ?? take().finally(() => underWay.delete(id));
    underWay.set(id, running);
    return running;
  };

  return async (
    me: CurrentMember,
    orderId: string,
  ): Promise<{ paypal_order_data: PaypalOrderData; order: Order }> => {
    const key = { member_no: me.memberId, order_id: orderId.toLowerCase() };
    const before = await rows.findOrder(ctx.db, key);
    if (!before) throw new ApiError("order_not_found");
    if (isPaidState(before.state)) {
      return { paypal_order_data: presentStored(before), order: presentOrder(before) };
    }
    const payments = paymentsOf(ctx);
    const take = () => reaching(ctx, () => takeOrFind(ctx, payments, before));
    const said = await oneAtATime(before.order_id, take);
    const order = await rows.findOrder(ctx.db, key);
    if (!order) throw new ApiError("order_not_found"); // deleted since the request came
    if (order.state === "unclear") throw new ApiError("payment_unclear");
    return { paypal_order_data: said, order: presentOrder(order) };
  };
}

/** Where no answer says whether the money was taken, PayPal may say how the order stands: another process was quicker. */
async function takeOrFind(
  ctx: AppContext,
  payments: Payments,
  order: rows.OrderRow,
): Promise<PaypalOrderData> {
  try {
    return await takeMoney(ctx, payments, order);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const outcome = await payments.showOrder(order.paypal_order_id);
    if (outcome.kind === "refused" || !paymentOf(outcome.order).capture) throw error;
    await settle(ctx, order, paymentOf(outcome.order));
    return presentPayPalOrder(outcome.order);
  }
}

/**
 * Asks PayPal for the money of an order, and brings the order to what it says.
 *
 * That it is asked is committed first, then PayPal is asked outside of any transaction, under an id that stays the same
 * until PayPal has definitely refused. A process may die at any moment between: who asks again, the webhook or the
 * reconciling job finds what was taken. PayPal takes the money of an order once.
 */
export async function takeMoney(
  ctx: AppContext,
  payments: Payments,
  order: rows.OrderRow,
): Promise<PaypalOrderData> {
  const now = ctx.clock.now();
  const asked = await rows.beginCapture(ctx.db, order, nextLook("capturing", now, now)!);
  const outcome = await (asked
    ? payments.captureOrder({
        paypalOrderId: order.paypal_order_id,
        requestId: `${asked.order_id}-${asked.request_no}`,
      })
    : payments.showOrder(order.paypal_order_id));
  if (outcome.kind === "order") {
    await settle(ctx, order, paymentOf(outcome.order));
    return presentPayPalOrder(outcome.order);
  }
  if (asked) await noteRefusal(ctx, asked, outcome);
  const { details, debug_id } = outcome.apiError;
  const told = details.map(({ issue, description = "" }) => ({ issue, description }));
  return {
    details: told.length > 0 ? told : [{ issue: outcome.apiError.name, description: "" }],
    ...(debug_id && { debug_id }),
  };
}

async function noteRefusal(ctx: AppContext, asked: rows.OrderRow, outcome: Outcome & { kind: "refused" }) {
  const isUnapproved = outcome.apiError.details.some(({ issue }) => issue === "ORDER_NOT_APPROVED");
  const state = isUnapproved ? "created" : "declined";
  const now = ctx.clock.now();
  await rows.endCapture(ctx.db, asked, state, nextLook(state, asked.created_at, now)!);
}

function paymentsOf(ctx: AppContext): Payments {
  if (!ctx.payments) throw new ApiError("payments_off");
  return ctx.payments;
}

/** Asks PayPal for a member. Where no answer says what was done, the member is told so and may ask again. */
async function reaching<T>(ctx: AppContext, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaymentUnknown) {
      ctx.log.warn({ err: error }, "PayPal gave no answer");
      throw new ApiError("payments_unavailable");
    }
    if (error instanceof PaymentRefused) {
      ctx.log.error({ err: error }, "PayPal refuses what we ask");
      throw new ApiError("payments_unavailable");
    }
    throw error;
  }
}
