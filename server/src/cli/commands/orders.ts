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
import { PaymentRejectedError, PaymentUnknownError } from "../../integrations/paypal/payments.ts";
import {
  type Facts,
  type Group,
  type Meanings,
  noWords,
  oneWord,
  OperatorProblem,
  uuid,
} from "../command-line.ts";
import { findOrExplain } from "./members.ts";

const NOBODY = { userId: "-" };

const ORDER: Meanings = {
  id: "ours; PayPal shows it as custom id and invoice id",
  user_id: "whose it is; nothing in the closed books of members who left",
  year: "whole years that were ordered",
  month: "whole months that were ordered",
  price: "in whole units of the currency",
  state:
    "`created`, `capturing`, `declined`, `pending`, `completed`, `partly_refunded`, `refunded` or `unclear` (look at PayPal)",
  refunded_in_smallest_unit: "what was given back, in cents of USD or whole JPY and TWD",
  created_at: "when it was begun; nothing in the closed books",
  paid_at: "when it was paid; the day alone in the closed books",
  next_look_at: "when PayPal is asked again",
  paypal_order_id: "PayPal's id of the order",
  paypal_capture_id: "PayPal's id of the payment",
};

/** `userId` is null where the member has left: the order is one of the closed books then. */
function describe(order: OrderRow | ArchivedOrderRow, userId: string | null): Facts {
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

async function list(ctx: AppContext, member: string | undefined, reason: string | null): Promise<Facts[]> {
  const found = member === undefined ? null : await findOrExplain(ctx, member);
  await logOperatorAction(ctx, "orders list", found ?? NOBODY, reason);
  const orders = await listOrders(ctx, found?.memberId ?? null);
  const names = await readUserIds(ctx.db, [...new Set(orders.map(({ member_no }) => member_no))]);
  return orders.map((order) => describe(order, names.get(order.member_no) ?? null));
}

async function reconcileOne(ctx: AppContext, id: string, reason: string | null): Promise<Facts> {
  const order = await findAnyOrder(ctx, id);
  if (!order) throw new OperatorProblem(`There is no order ${id}.`);
  const userId =
    "archive_id" in order ? null : (await readUserIds(ctx.db, [order.member_no])).get(order.member_no);
  // Without the id: nothing of a member's order stays when the member leaves.
  await logOperatorAction(ctx, "orders reconcile one", userId ? { userId } : NOBODY, reason);
  try {
    const reconciled = await reconcileOrder(ctx, id);
    if (!reconciled) throw new OperatorProblem(`Nobody paid the order ${id}, and it is forgotten now.`);
    return describe(reconciled, userId ?? null);
  } catch (error) {
    if (error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)
      throw new OperatorProblem(`PayPal could not be asked: ${error.message}`);
    throw error;
  }
}

function withPayments(ctx: AppContext): void {
  if (!ctx.payments) throw new OperatorProblem("Buying is switched off: PAYPAL_CLIENT_ID is not set.");
}

export const orders: Group = {
  list: {
    takes: "[--member USER_ID]",
    says: "the newest first; of all members the latest 200",
    options: { member: "only the orders of this member" },
    tells: ORDER,
    read: (words, values) => {
      noWords(words, "orders list takes nothing but --member USER_ID.");
      return (ctx, reason) => list(ctx, values["member"], reason);
    },
  },
  reconcile: {
    takes: "[ORDER_ID]",
    says: "asks PayPal now about this order, or about all that may change",
    tells: {
      ...ORDER,
      looked: "of all: how many PayPal was asked about",
      failed: "of all: how many of them it gave no answer to",
    },
    read: (words) => {
      const usage = "orders reconcile takes the ID of an order, or nothing.";
      const id = words.length === 0 ? null : uuid(oneWord(words, usage), usage);
      return async (ctx, reason) => {
        withPayments(ctx);
        if (id !== null) return reconcileOne(ctx, id, reason);
        await logOperatorAction(ctx, "orders reconcile", NOBODY, reason);
        const { polled, failed } = await reconcileOrders(ctx, { isAll: true });
        return { looked: String(polled), failed: String(failed) };
      };
    },
  },
};
