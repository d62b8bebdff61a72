import { logOperatorAction } from "../../../accounts/index.ts";
import { readUserIds } from "../../../members/user-ids.ts";
import {
  type ArchivedOrderRow,
  decryptPaidAt,
  findAnyOrder,
  listOrders,
  type OrderRow,
  reconcileOrders,
  reconcileOrder,
  timeOfOrder,
} from "../../../membership/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { confirmBankRefund, confirmBankTransfer, listBankTransfers } from "../../bank-transfers.ts";
import {
  type FieldDescriptions,
  type Fields,
  type Group,
  noArguments,
  OperatorError,
  required,
  singleArgument,
  type Subcommand,
} from "../command-line.ts";
import { listCommand, reconcileCommand, withPayPalErrors } from "./paypal.ts";

const ORDER: FieldDescriptions = {
  id: "our id; PayPal shows it as custom id and invoice id",
  user_id: "the buyer; empty for archived orders of deleted members",
  number: "number of the receipt; empty while nothing is paid",
  kind: "`paypal` or `bank`",
  year: "years ordered",
  month: "months ordered",
  price: "in whole units of the currency",
  reference: "of a bank transfer",
  state:
    "`created`, `capturing`, `declined`, `pending`, `completed`, `partly_refunded`, `refunded` or `unclear` (check at PayPal)",
  refunded_in_smallest_unit: "refunded amount, in USD cents or whole JPY and TWD",
  withdrawal: "after a withdrawal, the state of its refund: `pending` or `done`",
  created_at: "creation time; empty for archived orders",
  paid_at: "time of payment; only the day for archived orders",
  next_look_at: "time of the next poll at PayPal",
  paypal_order_id: "PayPal's id of the order",
  paypal_capture_id: "PayPal's id of the payment",
};

async function describe(
  ctx: AppContext,
  order: OrderRow | ArchivedOrderRow,
  userId: string | null,
): Promise<Fields> {
  const paidAt = "archive_id" in order ? order.paid_on : (await decryptPaidAt(ctx, order))?.toISOString();
  return {
    id: "archive_id" in order ? order.archive_id : order.order_id,
    user_id: userId,
    number: order.number,
    kind: order.kind,
    year: String(order.year),
    month: String(order.month),
    price: `${order.price} ${order.currency}`,
    reference: order.reference,
    state: order.state,
    refunded_in_smallest_unit: String(order.refunded),
    withdrawal: order.withdrawal_state,
    created_at: "archive_id" in order ? null : timeOfOrder(order).toISOString(),
    paid_at: paidAt ?? null,
    next_look_at: order.next_poll_at?.toISOString() ?? null,
    paypal_order_id: order.paypal_order_id,
    paypal_capture_id: order.capture_id,
  };
}

async function list(ctx: AppContext, memberId: number | null): Promise<Fields[]> {
  const orders = await listOrders(ctx, memberId);
  const names = await readUserIds(ctx.db, ctx.encryption, [
    ...new Set(orders.map(({ member_no }) => member_no)),
  ]);
  return Promise.all(orders.map((order) => describe(ctx, order, names.get(order.member_no) ?? null)));
}

async function reconcileOne(ctx: AppContext, id: string, reason: string | null): Promise<Fields> {
  const order = required(await findAnyOrder(ctx, id), `There is no order ${id}.`);
  const memberId = "archive_id" in order ? null : order.member_no;
  const userIds = await readUserIds(ctx.db, ctx.encryption, memberId === null ? [] : [memberId]);
  // The log entry has no order id, so that it leads to no order after the member's deletion.
  await logOperatorAction(ctx, "orders reconcile one", memberId === null ? null : { memberId }, reason);
  const reconciled = required(
    await withPayPalErrors(() => reconcileOrder(ctx, id)),
    `The order ${id} expired unpaid and was deleted.`,
  );
  return describe(ctx, reconciled, userIds.get(memberId ?? 0) ?? null);
}

/** NOTE: the log has no reference, so that it leads to no order after the member's deletion. */
async function confirm(ctx: AppContext, reference: string, reason: string | null): Promise<Fields> {
  const paid = await confirmBankTransfer(ctx, { operatorId: null, reason }, reference);
  if (paid === "paid earlier") throw new OperatorError(`${reference} was paid, and its buyer has left.`);
  const order = required(paid, `There is no unpaid order ${reference}.`);
  const userIds = await readUserIds(ctx.db, ctx.encryption, [order.member_no]);
  return describe(ctx, order, userIds.get(order.member_no) ?? null);
}

async function confirmRefund(ctx: AppContext, reference: string, reason: string | null): Promise<Fields> {
  const isDone = await confirmBankRefund(ctx, { operatorId: null, reason }, reference);
  if (!isDone) throw new OperatorError(`There is nothing to pay back for ${reference}.`);
  return { reference };
}

function bankCommand(
  name: string,
  summary: string,
  fields: FieldDescriptions,
  run: (ctx: AppContext, reference: string, reason: string | null) => Promise<Fields>,
): Subcommand {
  return {
    usage: "REFERENCE",
    summary,
    fields,
    parse: (words) => {
      const reference = singleArgument(words, `orders ${name} takes one REFERENCE.`);
      return (ctx, reason) => run(ctx, reference, reason);
    },
  };
}

const bankList: Subcommand = {
  usage: "",
  summary: "unpaid bank transfers, and those to pay back",
  fields: {
    reference: ORDER["reference"]!,
    amount: "to receive or to pay back",
    state: "`open` or `pay_back`",
  },
  parse: (words) => {
    noArguments(words, "orders bank-list takes no arguments.");
    return async (ctx, reason) => {
      const listed = await listBankTransfers(ctx, { operatorId: null, reason });
      return listed.map(({ reference, currency, amount, state }) => ({
        reference,
        amount: `${amount} ${currency}`,
        state,
      }));
    };
  },
};

const KIND = { name: "orders", idName: "ORDER_ID", fields: ORDER };

export const orders: Group = {
  "bank-list": bankList,
  "bank-paid": bankCommand("bank-paid", "the money has arrived; twice counts once", ORDER, confirm),
  "bank-refunded": bankCommand(
    "bank-refunded",
    "the share of a withdrawal was paid back by hand",
    { reference: ORDER["reference"]! },
    confirmRefund,
  ),
  list: listCommand(KIND, list),
  reconcile: reconcileCommand(KIND, {
    one: reconcileOne,
    all: (ctx) => reconcileOrders(ctx, { isAll: true }),
  }),
};
