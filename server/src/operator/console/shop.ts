import { endOfDay } from "@alcove/contract/calendar";
import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  confirmBank as confirmBankCall,
  createCoupon as createCouponCall,
  getCoupons,
  getLog,
  getPayments,
} from "@alcove/contract/console";
import type { getStatistics } from "@alcove/contract/console-statistics";
import { COUPON_ID } from "@alcove/contract/limits";
import { logOperatorAction } from "../../accounts/index.ts";
import { listBankOrders, listOrders, timeOfOrder } from "../../membership/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import { listTransfers } from "../../referral/index.ts";
import { confirmBankRefund, confirmBankTransfer } from "../bank-transfers.ts";
import { createCoupon, createCoupons, disableCoupon, listCoupons } from "../coupons.ts";
import * as log from "../log.ts";
import type { Actor } from "../members.ts";
import { readStatistics } from "../statistics.ts";
import type { Operator } from "./operators.ts";

const OPEN_STATES = new Set(["created", "capturing", "pending", "unclear", "sending", "accepted"]);

export async function readCoupons(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getCoupons>> {
  const coupons = (await listCoupons(ctx, actorOf(me))).map((coupon) => {
    const { coupon_id: id, value, year, month, state, used, max_uses, expires_at } = coupon;
    return { id, value, year, month, state, used, max_uses, expires_at: expires_at.toISOString() };
  });
  return { coupons };
}

export async function addCoupon(
  ctx: AppContext,
  me: Operator,
  { id, count, value, year, month, max_uses, expires_on }: ParsedOf<typeof createCouponCall>,
): Promise<ResponseOf<typeof createCouponCall>> {
  if (!id && !count) throw validationError({ id: "required" });
  if (id && count) throw validationError({ count: "not_with_others" });
  if (id && !COUPON_ID.pattern.test(id)) throw validationError({ id: "invalid_characters" });
  if (year + month === 0) throw validationError({ year: "plan_required" });
  const expiresAt = endOfDay(expires_on, "UTC");
  if (!expiresAt) throw validationError({ expires_on: "date_invalid" });
  if (expiresAt <= ctx.clock.now()) throw validationError({ expires_on: "too_old" });
  const terms = { year, month, maxUses: max_uses, expiresAt, value: value ?? null };
  if (!id) return { ids: await createCoupons(ctx, actorOf(me), { count: count!, ...terms }) };
  if (!(await createCoupon(ctx, actorOf(me), { id, ...terms }))) throw new ApiError("conflict");
  return { ids: [id] };
}

export async function endCoupon(ctx: AppContext, me: Operator, id: string): Promise<void> {
  if (!(await disableCoupon(ctx, actorOf(me), id))) throw new ApiError("coupon_not_found");
}

/** Leaves out members: their payments are among the facts of an account, which need a reason. */
export async function readPayments(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getPayments>> {
  await logOperatorAction(ctx, "payments list", null, null, me.operatorId);
  const orders = await listOrders(ctx, null);
  const transfers = await listTransfers(ctx, null);
  const bank = await listBankOrders(ctx);
  return {
    bank: bank.map(({ reference, currency, amount, state }) => ({
      reference,
      amount: `${amount} ${currency}`,
      state,
    })),
    orders: orders.map((order) => ({
      id: order.order_id,
      amount: `${order.price} ${order.currency}`,
      state: order.state,
      on: utcDay(timeOfOrder(order)),
      next_poll_at: order.next_poll_at?.toISOString() ?? null,
      paypal_id: order.capture_id ?? order.paypal_order_id,
      is_open: OPEN_STATES.has(order.state),
    })),
    transfers: transfers.map((transfer) => ({
      id: transfer.transfer_id,
      amount: `${(transfer.usd_cents / 100).toFixed(2)} USD`,
      state: transfer.state,
      on: utcDay(transfer.created_at),
      next_poll_at: transfer.next_poll_at?.toISOString() ?? null,
      paypal_id: transfer.payout_batch_id,
      is_open: OPEN_STATES.has(transfer.state),
    })),
  };
}

export async function confirmBank(
  ctx: AppContext,
  me: Operator,
  { reference, what }: ParsedOf<typeof confirmBankCall>,
): Promise<void> {
  const isKnown =
    what === "paid"
      ? await confirmBankTransfer(ctx, actorOf(me), reference)
      : await confirmBankRefund(ctx, actorOf(me), reference);
  if (!isKnown) throw new ApiError("order_not_found");
}

export async function readFigures(
  ctx: AppContext,
  me: Operator,
  { by, from = null, to = null }: ParsedOf<typeof getStatistics>,
): Promise<ResponseOf<typeof getStatistics>> {
  const periods = await readStatistics(ctx, actorOf(me), { by, from, to });
  if (!periods) throw validationError({ from: "range_reversed" });
  return { periods };
}

export async function readLog(
  ctx: AppContext,
  me: Operator,
  { before }: ParsedOf<typeof getLog>,
): Promise<ResponseOf<typeof getLog>> {
  const { entries, hasMore } = await log.readLog(ctx, actorOf(me), { before: before ?? null });
  return {
    has_more: hasMore,
    entries: entries.map(({ no, at, operator, action, subject, reason }) => ({
      no,
      at: at.toISOString(),
      operator,
      action,
      subject: subject === "-" ? null : subject,
      reason,
    })),
  };
}

const actorOf = ({ operatorId }: Operator): Actor => ({ operatorId, reason: null });
