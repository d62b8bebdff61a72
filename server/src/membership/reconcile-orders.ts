import type { RefundState } from "@alcove/contract/membership";
import { DAY_MS, MINUTE_MS, pollTimeAfter } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { repeatFullBatches, type Polled } from "../platform/jobs/full-batches.ts";
import {
  type Payments,
  PaymentRejectedError,
  PaymentUnknownError,
  type Refund,
} from "../integrations/paypal/payments.ts";
import { captureAtPayPal } from "./create-order.ts";
import * as archive from "./order-archive.sql.ts";
import { nextPollAt, UNPAID_LIFETIME_MS } from "./poll-schedule.ts";
import { timeOfOrder } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, paymentOf } from "./payment.ts";
import { decryptWithdrawnAt } from "./present.ts";
import { paymentOfCapture, repeatRefund } from "./send-refund.ts";
import { type OrderRef, settleOrder } from "./settle-order.ts";
import type { OrderState } from "./tables.ts";

const ORDERS_PER_BATCH = 100;
const RECONCILE_EVERY_MS = 5 * MINUTE_MS;
const ALL_ORDERS = 100_000;
const FAR_FUTURE = new Date("9000-01-01T00:00:00Z");

/** Finds interrupted captures, approved but uncaptured orders, pending payments, and refunds without a webhook. */
export async function reconcileOrders(
  ctx: AppContext,
  { isAll = false, perBatch = ORDERS_PER_BATCH } = {},
): Promise<Polled> {
  const { payments } = ctx;
  if (!payments) return { polled: 0, failed: 0 };
  const now = ctx.clock.now();
  const until = isAll ? FAR_FUTURE : now;
  const limit = isAll ? ALL_ORDERS : perBatch;
  const due: OrderRef[] = await rows.findDueOrders(ctx.db, until, limit);
  for (const order_id of await archive.findDueArchived(ctx.db, until, limit)) {
    due.push({ member_no: null, order_id });
  }
  let failed = 0;
  for (const ref of due) {
    const isDone = await logPayPalErrors(ctx, ref.order_id, () => pollOrder(ctx, payments, ref));
    if (!isDone) failed++;
    await postpone(ctx, ref, now);
  }
  return { polled: due.length, failed };
}

export function reconcileDueOrders(
  ctx: AppContext,
  { perBatch = ORDERS_PER_BATCH }: { perBatch?: number } = {},
): Promise<void> {
  return repeatFullBatches(() => reconcileOrders(ctx, { perBatch }), {
    size: perBatch,
    maxMs: RECONCILE_EVERY_MS,
  });
}

async function postpone(ctx: AppContext, { member_no, order_id }: OrderRef, now: Date): Promise<void> {
  const inADay = pollTimeAfter(now, DAY_MS);
  if (member_no === null) return archive.postponeArchivedPoll(ctx.db, order_id, now, inADay);
  const order = await rows.findOrder(ctx.db, { member_no, order_id });
  if (!order) return;
  const withdrawnAt = order.withdrawal_state === "pending" ? await decryptWithdrawnAt(ctx, order) : null;
  const next = withdrawnAt
    ? nextPollAt("refunding", withdrawnAt, now)
    : nextPollAt(order.state, timeOfOrder(order), now);
  await rows.postponePoll(ctx.db, order, now, next ?? inADay);
}

async function logPayPalErrors(ctx: AppContext, order: string, look: () => Promise<void>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (!(error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)) throw error;
    ctx.log.warn({ err: error, order }, "polling an order at PayPal failed");
    return false;
  }
}

interface KnownRefunds {
  readonly refunds?: readonly Refund[];
}

/** An approved order whose buyer did not return is captured, because PayPal's button promised the payment. */
export async function pollOrder(
  ctx: AppContext,
  payments: Payments,
  ref: OrderRef,
  { refunds = [] }: KnownRefunds = {},
): Promise<void> {
  const order = await findOwnOrArchived(ctx, ref);
  if (!order?.paypal_order_id) return;
  if (order.withdrawal_state === "pending") return repeatRefund(ctx, payments, ref, refunds);
  const outcome = await payments.showOrder(order.paypal_order_id);
  if (outcome.kind === "rejected") {
    if (order.capture_id)
      await settleOrder(ctx, ref, paymentOfCapture(await payments.showCapture(order.capture_id), refunds));
    else await dropUnknownOrder(ctx, ref, order.state);
    return;
  }
  const payment = paymentOf(outcome.order);
  const own = order.own;
  if (payment.capture || !own) {
    await settleOrder(ctx, ref, { ...payment, refunds: [...payment.refunds, ...refunds] });
  } else if (outcome.order.status === "APPROVED" && ["created", "capturing"].includes(own.state)) {
    await captureAtPayPal(ctx, payments, own);
  } else {
    await deleteIfExpired(ctx, own);
  }
}

interface AnyOrder {
  readonly paypal_order_id: string | null;
  readonly withdrawal_state: RefundState | null;
  readonly capture_id: string | null;
  readonly state: OrderState;
  readonly own: rows.PayPalOrderRow | null;
}

async function findOwnOrArchived(
  ctx: AppContext,
  { member_no, order_id }: OrderRef,
): Promise<AnyOrder | null> {
  if (member_no === null) {
    const closed = await archive.findArchived(ctx.db, order_id);
    return closed && { ...closed, own: null };
  }
  const own = await rows.findOrder(ctx.db, { member_no, order_id });
  return own && rows.isAtPayPal(own) ? { ...own, own } : null;
}

async function dropUnknownOrder(
  ctx: AppContext,
  { member_no, order_id }: OrderRef,
  state: OrderState,
): Promise<void> {
  if (isPaidState(state)) return;
  if (member_no === null) {
    await archive.updateArchived(ctx.db, order_id, { next_poll_at: null });
    return;
  }
  const own = await rows.findOrder(ctx.db, { member_no, order_id });
  if (own && rows.isAtPayPal(own)) await deleteIfExpired(ctx, own);
}

async function deleteIfExpired(ctx: AppContext, order: rows.PayPalOrderRow): Promise<void> {
  const now = ctx.clock.now();
  if (order.state === "capturing") {
    await rows.endCapture(ctx.db, order, "created", nextPollAt("created", timeOfOrder(order), now)!);
  }
  if (now.getTime() - timeOfOrder(order).getTime() < UNPAID_LIFETIME_MS) return;
  await ctx.db.transaction().execute(async (tx) => {
    if (await rows.deleteUnpaid(tx, order))
      await rows.deleteRefs(tx, [order.order_id, order.paypal_order_id]);
  });
}
