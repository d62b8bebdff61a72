import { logOperatorAction, readUserIds } from "../../accounts/index.ts";
import {
  type ArchivedOrderRow,
  findAnyOrder,
  listOrders,
  type OrderRow,
  reconcileOrders,
  reconcileOrder,
} from "../../membership/index.ts";
import type { AppContext } from "../../platform/context.ts";
import { type FieldDescriptions, type Fields, type Group, required } from "../command-line.ts";
import { listCommand, NO_MEMBER, reconcileCommand, withPayPalErrors } from "./paypal.ts";

const ORDER: FieldDescriptions = {
  id: "our id; PayPal shows it as custom id and invoice id",
  user_id: "the buyer; empty for archived orders of deleted members",
  year: "years ordered",
  month: "months ordered",
  price: "in whole units of the currency",
  state:
    "`created`, `capturing`, `declined`, `pending`, `completed`, `partly_refunded`, `refunded` or `unclear` (check at PayPal)",
  refunded_in_smallest_unit: "refunded amount, in USD cents or whole JPY and TWD",
  created_at: "creation time; empty for archived orders",
  paid_at: "time of payment; only the day for archived orders",
  next_look_at: "time of the next poll at PayPal",
  paypal_order_id: "PayPal's id of the order",
  paypal_capture_id: "PayPal's id of the payment",
};

/** `userId` is null for an archived order. */
function describe(order: OrderRow | ArchivedOrderRow, userId: string | null): Fields {
  const paidAt = "archive_id" in order ? order.paid_on : order.paid_at?.toISOString();
  return {
    id: "archive_id" in order ? order.archive_id : order.order_id,
    user_id: userId,
    year: String(order.year),
    month: String(order.month),
    price: `${order.price} ${order.currency}`,
    state: order.state,
    refunded_in_smallest_unit: String(order.refunded),
    created_at: "archive_id" in order ? null : order.created_at.toISOString(),
    paid_at: paidAt ?? null,
    next_look_at: order.next_poll_at?.toISOString() ?? null,
    paypal_order_id: order.paypal_order_id,
    paypal_capture_id: order.capture_id,
  };
}

async function list(ctx: AppContext, memberId: number | null): Promise<Fields[]> {
  const orders = await listOrders(ctx, memberId);
  const names = await readUserIds(ctx.db, [...new Set(orders.map(({ member_no }) => member_no))]);
  return orders.map((order) => describe(order, names.get(order.member_no) ?? null));
}

async function reconcileOne(ctx: AppContext, id: string, reason: string | null): Promise<Fields> {
  const order = required(await findAnyOrder(ctx, id), `There is no order ${id}.`);
  const userId =
    "archive_id" in order ? null : (await readUserIds(ctx.db, [order.member_no])).get(order.member_no);
  // The log entry has no order id, so that it leads to no order after the member's deletion.
  await logOperatorAction(ctx, "orders reconcile one", userId ? { userId } : NO_MEMBER, reason);
  const reconciled = required(
    await withPayPalErrors(() => reconcileOrder(ctx, id)),
    `The order ${id} expired unpaid and was deleted.`,
  );
  return describe(reconciled, userId ?? null);
}

const KIND = { name: "orders", idName: "ORDER_ID", fields: ORDER };

export const orders: Group = {
  list: listCommand(KIND, list),
  reconcile: reconcileCommand(KIND, {
    one: reconcileOne,
    all: (ctx) => reconcileOrders(ctx, { isAll: true }),
  }),
};
