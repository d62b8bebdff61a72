import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import {
  type Payments,
  PaymentRefused,
  PaymentUnknown,
  type Refund,
} from "../integrations/paypal/payments.ts";
import { takeMoney } from "./create-order.ts";
import * as books from "./closed-orders.sql.ts";
import { nextLook, UNPAID_LIFE_MS } from "./poll-schedule.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, paymentOf, type Payment } from "./payment.ts";
import { type OrderRef, settle } from "./settle-order.ts";
import type { OrderState } from "./tables.ts";

/** How many orders one run asks PayPal about. */
const ORDERS_A_RUN = 100;
const ALL_ORDERS = 100_000;
const FAR_AWAY = new Date("9000-01-01T00:00:00Z");

/** How often PayPal was asked about an order, and how often it could not be. */
export interface Reconciled {
  readonly looked: number;
  readonly failed: number;
}

/**
 * Asks PayPal about every order that is due: what was left between its answer and our commit, what was approved but not
 * captured, what is pending, and, at growing pauses for half a year, what was given back without a webhook arriving.
 *
 * `isAll` asks about all of these now, however long they have waited.
 */
export async function reconcile(ctx: AppContext, { isAll = false } = {}): Promise<Reconciled> {
  const { payments } = ctx;
  if (!payments) return { looked: 0, failed: 0 };
  const now = ctx.clock.now();
  const until = isAll ? FAR_AWAY : now;
  const most = isAll ? ALL_ORDERS : ORDERS_A_RUN;
  const due: OrderRef[] = await rows.readDue(ctx.db, until, most);
  for (const order_id of await books.readDueClosed(ctx.db, until, most)) {
    due.push({ member_no: null, order_id });
  }
  let failed = 0;
  for (const ref of due) {
    const isDone = await tolerate(ctx, ref.order_id, () => lookAt(ctx, payments, ref));
    if (!isDone) failed++;
    await putOff(ctx, ref, now);
  }
  return { looked: due.length, failed };
}

/** Whatever came of it, the others have their turn next. */
async function putOff(ctx: AppContext, { member_no, order_id }: OrderRef, now: Date): Promise<void> {
  const inADay = new Date(now.getTime() + DAY_MS);
  if (member_no === null) return books.putOffClosed(ctx.db, order_id, now, inADay);
  const order = await rows.findOrder(ctx.db, { member_no, order_id });
  if (order) await rows.putOff(ctx.db, order, now, nextLook(order.state, order.created_at, now) ?? inADay);
}

async function tolerate(ctx: AppContext, order: string, look: () => Promise<void>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (!(error instanceof PaymentUnknown || error instanceof PaymentRefused)) throw error;
    ctx.log.warn({ err: error, order }, "PayPal could not be asked about an order");
    return false;
  }
}

interface Look {
  /** What was given back, as far as it is known without asking. */
  readonly seen?: readonly Refund[];
}

/**
 * Asks PayPal how an order stands and brings ours to it. One that was approved and whose buyer never came back is
 * captured: PayPal's button says that it pays.
 */
export async function lookAt(
  ctx: AppContext,
  payments: Payments,
  ref: OrderRef,
  { seen = [] }: Look = {},
): Promise<void> {
  const order = await findEither(ctx, ref);
  if (!order) return;
  const outcome = await payments.showOrder(order.paypal_order_id);
  if (outcome.kind === "refused") {
    if (order.capture_id) await settle(ctx, ref, await paymentOfCapture(payments, order.capture_id, seen));
    else await forget(ctx, ref, order.state);
    return;
  }
  const payment = paymentOf(outcome.order);
  const own = order.own;
  if (payment.capture || !own) {
    await settle(ctx, ref, { ...payment, refunds: [...payment.refunds, ...seen] });
  } else if (outcome.order.status === "APPROVED" && ["created", "capturing"].includes(own.state)) {
    await takeMoney(ctx, payments, own);
  } else {
    await forgetOrWait(ctx, own);
  }
}

interface Either {
  readonly paypal_order_id: string;
  readonly capture_id: string | null;
  readonly state: OrderState;
  /** Null for one of the closed books. */
  readonly own: rows.OrderRow | null;
}

async function findEither(ctx: AppContext, { member_no, order_id }: OrderRef): Promise<Either | null> {
  if (member_no === null) {
    const closed = await books.findClosed(ctx.db, order_id);
    return closed && { ...closed, own: null };
  }
  const own = await rows.findOrder(ctx.db, { member_no, order_id });
  return own && { ...own, own };
}

/** PayPal forgets orders sooner than the money that was taken for them. */
async function paymentOfCapture(
  payments: Payments,
  captureId: string,
  seen: readonly Refund[],
): Promise<Payment> {
  return { paypalOrderId: null, capture: await payments.showCapture(captureId), refunds: seen };
}

/** PayPal knows the order no more, or never took anything for it. */
async function forget(ctx: AppContext, { member_no, order_id }: OrderRef, state: OrderState): Promise<void> {
  if (isPaidState(state)) return;
  if (member_no === null) {
    await books.updateClosed(ctx.db, order_id, { look_at: null });
    return;
  }
  const own = await rows.findOrder(ctx.db, { member_no, order_id });
  if (own) await forgetOrWait(ctx, own);
}

/** Nothing was taken: the order waits to be paid, and is forgotten when it has waited too long. */
async function forgetOrWait(ctx: AppContext, order: rows.OrderRow): Promise<void> {
  const now = ctx.clock.now();
  if (order.state === "capturing") {
    await rows.endCapture(ctx.db, order, "created", nextLook("created", order.created_at, now)!);
  }
  if (now.getTime() - order.created_at.getTime() < UNPAID_LIFE_MS) return;
  await ctx.db.transaction().execute(async (tx) => {
    if (await rows.deleteUnpaid(tx, order))
      await rows.deleteRefs(tx, [order.order_id, order.paypal_order_id]);
  });
}
