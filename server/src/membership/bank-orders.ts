import { randomUUID } from "node:crypto";
import { monthsOf } from "@alcove/contract/calendar";
import { BANK_ORDERS_OPEN } from "@alcove/contract/limits";
import type { BankTransfer } from "@alcove/contract/membership";
import { type Currency, priceOf } from "@alcove/contract/prices";
import { lockMember } from "../members/locks.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { moneyText } from "../platform/i18n.ts";
import { toMoney, unitsToMoney } from "../integrations/paypal/payments.ts";
import { conditionsOfNewOrder, encryptConditions } from "./conditions.ts";
import { drawCode } from "./coupons.ts";
import type { ReceiptJob } from "./events.ts";
import { type ArchivedOrderRow, findArchived, readArchivedToPayBack } from "./order-archive.sql.ts";
import { toWhole } from "./order-money.ts";
import { firstOrderId, newOrderId } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { BANK_ORDER_MS, transferOf } from "./present.ts";
import { type Payment, sumOfRefunds } from "./payment.ts";
import { type OrderRef, settleOrder } from "./settle-order.ts";

interface PlanInput {
  readonly currency: Currency;
  readonly year: number;
  readonly month: number;
  readonly country?: string | null | undefined;
  readonly start_at_once?: string | null | undefined;
}

/** @throws bank_transfers_off, bank_orders_open, country_required, country_closed, plan_too_long */
export async function createBankOrder(
  ctx: AppContext,
  me: CurrentMember,
  plan: PlanInput,
): Promise<{ order_id: string } & BankTransfer> {
  if (ctx.config.bankDetails === null) throw new ApiError("bank_transfers_off");
  const now = ctx.clock.now();
  const key = { member_no: me.memberId, order_id: newOrderId(now) };
  const { currency, year, month } = plan;
  const buyer = { country: plan.country ?? null, startAtOnce: plan.start_at_once === "yes" };
  const usd = priceOf("USD", plan);
  const conditions = conditionsOfNewOrder(ctx, buyer, { months: monthsOf(plan), usd });
  const reference = drawCode(2);
  const order = {
    ...key,
    kind: "bank",
    number: null,
    reference,
    year,
    month,
    currency,
    price: priceOf(currency, plan),
    usd_cents: usd * 100,
    encrypted_conditions: await encryptConditions(ctx, key, conditions),
    state: "created",
    paypal_order_id: null,
    capture_id: null,
    refunds: "{}",
    refunded: 0,
    paid_on: null,
    encrypted_paid_at: null,
    next_poll_at: null,
  } as const;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    if ((await rows.countOpenBankOrders(tx, me.memberId, oldestOpen(now))) >= BANK_ORDERS_OPEN)
      throw new ApiError("bank_orders_open");
    await rows.insertOrder(tx, order);
    await rows.insertRef(tx, { paypal_id: reference, kind: "reference", ...key });
    await rows.insertRef(tx, { paypal_id: key.order_id, kind: "custom_id", ...key });
    const job = { emailId: randomUUID(), memberId: me.memberId, order: key.order_id };
    await ctx.jobs.add(tx, "bank_order_notice", job);
  });
  return { order_id: key.order_id, ...transferOf(ctx, { ...key, reference }) };
}

const oldestOpen = (now: Date): string => firstOrderId(new Date(now.getTime() - BANK_ORDER_MS));

/** An order that nobody paid within 30 days is forgotten. */
export async function sweepBankOrders(ctx: AppContext): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const deleted = await rows.deleteBankOrdersBefore(tx, oldestOpen(ctx.clock.now()));
    await rows.deleteRefs(
      tx,
      deleted.flatMap(({ order_id, reference }) => [order_id, reference!]),
    );
  });
}

/** The email states which money to expect, not from whom. */
export async function sendBankOrderNotice(
  ctx: AppContext,
  { emailId, memberId, order }: ReceiptJob,
): Promise<void> {
  const found = await rows.findOrder(ctx.db, { member_no: memberId, order_id: order });
  if (!found?.reference) return;
  const { reference, currency, price } = found;
  await ctx.mailer.send({
    to: ctx.config.supportEmail,
    subject: `${ctx.config.brandName}: bank transfer ${reference}`,
    text: `${moneyText("en", currency, price)}\n${reference}\n\nnpm run operator -- orders bank-paid ${reference}\n`,
    messageId: emailId,
  });
}

export interface ListedBankOrder {
  readonly reference: string;
  readonly currency: Currency;
  /** In whole units: the price, or what to pay back. */
  readonly amount: number;
  /** `pay_back`: the operator returns the share of a withdrawal by hand. */
  readonly state: "open" | "pay_back";
}

/** Without members. */
export async function listBankOrders({ db }: AppContext): Promise<ListedBankOrder[]> {
  const all = [...(await rows.readOpenBankOrders(db)), ...(await readArchivedToPayBack(db))];
  return all.map((order) => ({
    reference: order.reference!,
    currency: order.currency,
    amount:
      order.withdrawal_state === "pending" ? toWhole(order.currency, unitsToPayBack(order)) : order.price,
    state: order.withdrawal_state === "pending" ? "pay_back" : "open",
  }));
}

const unitsToPayBack = (order: rows.OrderRow | ArchivedOrderRow): number =>
  order.refunded - sumOfRefunds(order);

/** Of members who left, too, if it was paid. */
export async function findBankOrder(ctx: AppContext, reference: string): Promise<OrderRef | null> {
  return (
    (await rows.findRef(ctx.db, "reference", reference)) ?? (await rows.findRef(ctx.db, "capture", reference))
  );
}

/**
 * Pays the order as a capture at PayPal would: grant, receipt, fee. Safe to repeat.
 *
 * Returns null if the member has left.
 */
export async function settleBankTransfer(
  ctx: AppContext,
  { member_no, order_id }: OrderRef,
): Promise<rows.OrderRow | null> {
  const order = member_no === null ? null : await rows.findOrder(ctx.db, { member_no, order_id });
  return order && settleOrder(ctx, order, paymentByBank(order));
}

/** Records that the share of a withdrawal was paid back by hand. Returns false if nothing was to be paid back. */
export async function settleBankRefund(ctx: AppContext, ref: OrderRef): Promise<boolean> {
  const { member_no, order_id } = ref;
  const order =
    member_no === null
      ? await findArchived(ctx.db, order_id)
      : await rows.findOrder(ctx.db, { member_no, order_id });
  if (order?.withdrawal_state !== "pending") return false;
  const payment = paymentByBank(order);
  const amount = unitsToMoney(order.currency, unitsToPayBack(order));
  await settleOrder(ctx, ref, {
    ...payment,
    refunds: [{ id: `${order.reference}-back`, status: "COMPLETED", amount }],
  });
  return true;
}

/** The reference takes the place of PayPal's capture. */
function paymentByBank(order: Pick<rows.OrderRow, "currency" | "price" | "reference">): Payment {
  const capture = {
    id: order.reference!,
    status: "COMPLETED",
    amount: toMoney(order.currency, order.price),
  };
  return { paypalOrderId: null, capture, refunds: [], payer: { ids: [], emails: [] }, payerCountry: null };
}
