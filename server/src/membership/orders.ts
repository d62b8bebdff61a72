import { randomUUID } from "node:crypto";
import type { Order } from "@alcove/contract/membership";
import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { insertClosed } from "./closed-orders.sql.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState } from "./payment.ts";
import { presentOrder } from "./present.ts";
import { nextLookAtClosed } from "./settle-order.ts";
import type { OrderState } from "./tables.ts";

/** Of these nothing was paid, and nothing is on its way. */
const UNPAID: readonly OrderState[] = ["created", "declined"];
const PAID_OR_UNDER_WAY: readonly OrderState[] = [
  "capturing",
  "pending",
  "completed",
  "partly_refunded",
  "refunded",
  "unclear",
];

/** What a member has paid, or is about to have, the newest first. */
export async function orders(ctx: AppContext, me: CurrentMember): Promise<{ orders: Order[] }> {
  return { orders: (await rows.readOrders(ctx.db, me.memberId, PAID_OR_UNDER_WAY)).map(presentOrder) };
}

export async function order(ctx: AppContext, me: CurrentMember, orderId: string): Promise<{ order: Order }> {
  const found = await rows.findOrder(ctx.db, { member_no: me.memberId, order_id: orderId.toLowerCase() });
  if (!found) throw new ApiError("order_not_found");
  return { order: presentOrder(found) };
}

/** Every order of a member, with what PayPal calls it and what was given back. */
export async function exportOrders(tx: Tx, { memberId }: CurrentMember): Promise<ExportPart> {
  const own = await rows.readOrders(tx, memberId);
  return {
    values: {
      orders: own.map((one) => ({
        order: presentOrder(one),
        created_at: one.created_at,
        paypal_order_id: one.paypal_order_id,
        paypal_capture_id: one.capture_id,
        refunds_in_smallest_unit: one.refunds,
      })),
    },
  };
}

/**
 * Moves the orders of a member who leaves into the closed books, under keys that lead to nobody. Those for which nothing
 * was ever paid are forgotten.
 */
export async function closeOrders(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const own = await rows.deleteOrdersOf(tx, memberId);
  await rows.deleteRefs(
    tx,
    own.flatMap(({ order_id, paypal_order_id, capture_id }) =>
      [order_id, paypal_order_id, capture_id].filter((id) => id !== null),
    ),
  );
  for (const order of own) if (!UNPAID.includes(order.state)) await close(tx, ctx, order);
}

async function close(tx: Tx, ctx: AppContext, order: rows.OrderRow): Promise<void> {
  const { member_no: memberId, order_id: orderId, state, paypal_order_id, capture_id } = order;
  const { year, month, currency, price, usd_cents, refunds, refunded } = order;
  const book_id = randomUUID();
  const paid_on = order.paid_at && utcDay(order.paid_at);
  await insertClosed(tx, {
    book_id,
    year,
    month,
    currency,
    price,
    usd_cents,
    state,
    paypal_order_id,
    capture_id,
    refunds: JSON.stringify(refunds),
    refunded,
    paid_on,
    look_at: nextLookAtClosed(state, paid_on, ctx.clock.now()),
  });
  const ref = { member_no: null, order_id: book_id };
  await rows.insertRef(tx, { paypal_id: paypal_order_id, kind: "order", ...ref });
  if (capture_id) await rows.insertRef(tx, { paypal_id: capture_id, kind: "capture", ...ref });
  if (isPaidState(state))
    await ctx.domainEvents.follow(tx, "order_closed", { memberId, orderId, bookId: book_id });
}
