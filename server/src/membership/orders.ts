import { randomUUID } from "node:crypto";
import type { Grant, Order } from "@alcove/contract/membership";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { layOut, listGrants } from "./memberships.ts";
import { decryptConditions, decryptConditionsIfKept, refusesTerms } from "./conditions.ts";
import { insertArchived } from "./order-archive.sql.ts";
import { timeOfOrder } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState } from "./payment.ts";
import { presentGrant, presentOrder, presentRefund } from "./present.ts";
import { nextPollOfArchived } from "./settle-order.ts";
import type { OrderState } from "./tables.ts";

const UNPAID: readonly OrderState[] = ["created", "declined"];
const PAID_OR_PENDING: readonly OrderState[] = [
  "capturing",
  "pending",
  "completed",
  "partly_refunded",
  "refunded",
  "unclear",
];

export async function listOwnOrders(
  ctx: AppContext,
  me: CurrentMember,
): Promise<{ orders: Order[]; grants: Grant[] }> {
  const { memberId } = me;
  const own = (await rows.readOrders(ctx.db, memberId)).filter(
    ({ kind, state }) => kind === "bank" || PAID_OR_PENDING.includes(state),
  );
  const granted = await listGrants(ctx, memberId);
  const { periods } = layOut(granted);
  const orders = await Promise.all(own.map((order) => presentOrder(ctx, order)));
  return {
    orders: refusesTerms(me)
      ? orders.map((order) => withLaterEnd(order, periods.get(order.id)?.until))
      : orders,
    grants: granted.toReversed().flatMap(presentGrant),
  };
}

function withLaterEnd(order: Order, end: Date | undefined): Order {
  const ends = [order.withdraw_until, end?.toISOString()].filter((one) => one != null).toSorted();
  return { ...order, withdraw_until: ends.at(-1) ?? null };
}

export async function findLastCountry(ctx: AppContext, { memberId }: CurrentMember): Promise<string | null> {
  const [newest] = await rows.readOrders(ctx.db, memberId);
  return newest ? (await decryptConditions(ctx, newest)).country : null;
}

export async function findOwnOrder(
  ctx: AppContext,
  me: CurrentMember,
  orderId: string,
): Promise<{ order: Order }> {
  const found = await rows.findOrder(ctx.db, { member_no: me.memberId, order_id: orderId.toLowerCase() });
  if (!found) throw new ApiError("order_not_found");
  return { order: await presentOrder(ctx, found) };
}

export async function exportOrders(
  tx: Tx,
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<ExportPart> {
  const own = await rows.readOrders(tx, memberId);
  return {
    values: {
      orders: await Promise.all(
        own.map(async (one) => ({
          order: await presentOrder(ctx, one),
          created_at: timeOfOrder(one),
          conditions: await decryptConditions(ctx, one),
          refund: presentRefund(one),
          paypal_order_id: one.paypal_order_id,
          paypal_capture_id: one.capture_id,
          refunds_in_smallest_unit: one.refunds,
        })),
      ),
    },
  };
}

export async function archiveOrders(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const own = await rows.deleteOrdersOf(tx, memberId);
  await rows.deleteRefs(
    tx,
    own.flatMap(({ order_id, paypal_order_id, capture_id, reference }) =>
      [order_id, paypal_order_id, capture_id, reference].filter((id) => id !== null),
    ),
  );
  for (const order of own) if (!UNPAID.includes(order.state)) await archiveOrder(tx, ctx, order);
}

async function archiveOrder(tx: Tx, ctx: AppContext, order: rows.OrderRow): Promise<void> {
  const { member_no: memberId, order_id: orderId, state, paypal_order_id, capture_id } = order;
  const { kind, number, reference, year, month, currency, price, usd_cents, refunds, refunded, paid_on } =
    order;
  const { withdrawal_amount, withdrawal_state, withdrawal_request_no } = order;
  const archive_id = randomUUID();
  const conditions = await decryptConditionsIfKept(ctx, order);
  await insertArchived(tx, {
    archive_id,
    kind,
    number,
    reference,
    country: conditions?.country ?? null,
    tax: conditions?.tax ?? 0,
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
    withdrawal_amount,
    withdrawal_state,
    withdrawal_request_no,
    next_poll_at: nextPollOfArchived(ctx, { kind, state, paid_on, withdrawal_state }),
  });
  const ref = { member_no: null, order_id: archive_id };
  if (paypal_order_id) await rows.insertRef(tx, { paypal_id: paypal_order_id, kind: "order", ...ref });
  if (capture_id) await rows.insertRef(tx, { paypal_id: capture_id, kind: "capture", ...ref });
  if (isPaidState(state))
    await ctx.domainEvents.emit(tx, "order_archived", { memberId, orderId, archiveId: archive_id });
}
