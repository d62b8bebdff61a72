import type { AppContext } from "../platform/context.ts";
import { findClosed, type ClosedRow } from "./closed-orders.sql.ts";
import * as rows from "./orders.sql.ts";
import { lookAt } from "./reconciling.ts";

/** How many orders the operator reads at once. */
const LISTED = 200;

/** A member's orders, or the latest of all members: for the operator. */
export function listOrders(ctx: AppContext, memberId: number | null): Promise<rows.OrderRow[]> {
  return memberId === null ? rows.readLatest(ctx.db, LISTED) : rows.readOrders(ctx.db, memberId);
}

/** An order by its id alone; one whose member has left by that of its entry in the closed books. Null when there is none. */
export async function findAnyOrder(
  ctx: AppContext,
  orderId: string,
): Promise<rows.OrderRow | ClosedRow | null> {
  const ref = await rows.findRef(ctx.db, "own", orderId);
  if (ref?.member_no == null) return findClosed(ctx.db, orderId);
  return rows.findOrder(ctx.db, { member_no: ref.member_no, order_id: ref.order_id });
}

/** Asks PayPal about one order now, and answers how it stands then; null when it is gone, since nobody paid it. */
export async function reconcileOrder(
  ctx: AppContext,
  orderId: string,
): Promise<rows.OrderRow | ClosedRow | null> {
  const order = await findAnyOrder(ctx, orderId);
  if (!order || !ctx.payments) return order;
  const ref =
    "book_id" in order
      ? { member_no: null, order_id: order.book_id }
      : { member_no: order.member_no, order_id: order.order_id };
  await lookAt(ctx, ctx.payments, ref);
  return findAnyOrder(ctx, orderId);
}
