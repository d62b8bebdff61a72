import type { Deps } from "../platform/deps.ts";
import { type Payments, PaymentRefused, PaymentUnknown, type Refund } from "../platform/payments.ts";
import { takeMoney } from "./buying.ts";
import * as books from "./closed-orders.sql.ts";
import { nextLook, UNPAID_LIFE_MS } from "./looking.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, paymentOf, type Payment } from "./payment.ts";
import { type OrderRef, settle } from "./settling.ts";
import type { OrderState } from "./tables.ts";

/** How many orders one run asks PayPal about. */
const ORDERS_A_RUN = 100;

/**
 * Asks PayPal about every order that is due: what was left between its answer and our commit, what was approved but not
 * captured, what is pending, and, at growing pauses for half a year, what was given back without a webhook arriving.
 */
export async function reconcile(deps: Deps): Promise<void> {
  const { payments } = deps;
  if (!payments) return;
  const now = deps.clock.now();
  for (const key of await rows.readDue(deps.db, now, ORDERS_A_RUN)) {
    await tolerate(deps, key.order_id, () => lookAt(deps, payments, key));
    // Also when it failed, so that the others have their turn.
    const order = await rows.findOrder(deps.db, key);
    if (order) await rows.putOff(deps.db, key, now, nextLook(order.state, order.created_at, now) ?? now);
  }
  for (const bookId of await books.readDueClosed(deps.db, now, ORDERS_A_RUN)) {
    await tolerate(deps, bookId, () => lookAt(deps, payments, { member_no: null, order_id: bookId }));
  }
}

async function tolerate(deps: Deps, order: string, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof PaymentUnknown || error instanceof PaymentRefused)) throw error;
    deps.log.warn({ err: error, order }, "PayPal could not be asked about an order");
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
  deps: Deps,
  payments: Payments,
  ref: OrderRef,
  { seen = [] }: Look = {},
): Promise<void> {
  const order = await findEither(deps, ref);
  if (!order) return;
  const outcome = await payments.showOrder(order.paypal_order_id);
  if (outcome.kind === "refused") {
    if (order.capture_id) await settle(deps, ref, await paymentOfCapture(payments, order.capture_id, seen));
    else await forget(deps, ref, order.state);
    return;
  }
  const payment = paymentOf(outcome.order);
  const own = order.own;
  if (payment.capture || !own) {
    await settle(deps, ref, { ...payment, refunds: [...payment.refunds, ...seen] });
  } else if (outcome.order.status === "APPROVED" && ["created", "capturing"].includes(own.state)) {
    await takeMoney(deps, payments, own);
  } else {
    await forgetOrWait(deps, own);
  }
}

interface Either {
  readonly paypal_order_id: string;
  readonly capture_id: string | null;
  readonly state: OrderState;
  /** Null for one of the closed books. */
  readonly own: rows.OrderRow | null;
}

async function findEither(deps: Deps, { member_no, order_id }: OrderRef): Promise<Either | null> {
  if (member_no === null) {
    const closed = await books.findClosed(deps.db, order_id);
    return closed && { ...closed, own: null };
  }
  const own = await rows.findOrder(deps.db, { member_no, order_id });
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
async function forget(deps: Deps, { member_no, order_id }: OrderRef, state: OrderState): Promise<void> {
  if (isPaidState(state)) return;
  if (member_no === null) {
    await books.updateClosed(deps.db, order_id, { look_at: null });
    return;
  }
  const own = await rows.findOrder(deps.db, { member_no, order_id });
  if (own) await forgetOrWait(deps, own);
}

/** Nothing was taken: the order waits to be paid, and is forgotten when it has waited too long. */
async function forgetOrWait(deps: Deps, order: rows.OrderRow): Promise<void> {
  const now = deps.clock.now();
  if (order.state === "capturing") {
    await rows.endCapture(deps.db, order, "created", nextLook("created", order.created_at, now)!);
  }
  if (now.getTime() - order.created_at.getTime() < UNPAID_LIFE_MS) return;
  await deps.db.transaction().execute(async (tx) => {
    if (await rows.deleteUnpaid(tx, order))
      await rows.deleteRefs(tx, [order.order_id, order.paypal_order_id]);
  });
}
