import type { AppContext } from "../platform/context.ts";
import { findArchived, type ArchivedOrderRow } from "./order-archive.sql.ts";
import * as rows from "./orders.sql.ts";
import { pollOrder } from "./reconcile-orders.ts";

const MAX_LISTED = 200;

export function listOrders(ctx: AppContext, memberId: number | null): Promise<rows.OrderRow[]> {
  return memberId === null ? rows.readLatestOrders(ctx.db, MAX_LISTED) : rows.readOrders(ctx.db, memberId);
}

/** Also finds an archived order by its archive id. */
export async function findAnyOrder(
  ctx: AppContext,
  orderId: string,
): Promise<rows.OrderRow | ArchivedOrderRow | null> {
  const ref = await rows.findRef(ctx.db, "custom_id", orderId);
  if (ref?.member_no == null) return findArchived(ctx.db, orderId);
  return rows.findOrder(ctx.db, { member_no: ref.member_no, order_id: ref.order_id });
}

/** Returns null if the order expired unpaid. */
export async function reconcileOrder(
  ctx: AppContext,
  orderId: string,
): Promise<rows.OrderRow | ArchivedOrderRow | null> {
  const order = await findAnyOrder(ctx, orderId);
  if (!order || !ctx.payments) return order;
  const ref =
    "archive_id" in order
      ? { member_no: null, order_id: order.archive_id }
      : { member_no: order.member_no, order_id: order.order_id };
  await pollOrder(ctx, ctx.payments, ref);
  return findAnyOrder(ctx, orderId);
}
