import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  createCoupon as createCouponCall,
  getCoupons,
  getLog,
  getPayments,
} from "@alcove/contract/console";
import { COUPON_ID } from "@alcove/contract/limits";
import { logOperatorAction, readOperatorActions } from "../../accounts/index.ts";
import { createCoupon, disableCoupon, listCoupons, listOrders, timeOfOrder } from "../../membership/index.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import { listTransfers } from "../../referral/index.ts";
import { type Operator, readOperatorNames } from "./operators.ts";

const LOG_PAGE = 200;
/** PayPal's result is missing, or the operator must look at PayPal. */
const OPEN_STATES = new Set(["created", "capturing", "pending", "unclear", "sending", "accepted"]);

export async function readCoupons(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getCoupons>> {
  await logOperatorAction(ctx, "coupons list", null, null, me.operatorId);
  const now = ctx.clock.now();
  const coupons = (await listCoupons(ctx)).map((coupon) => {
    const { coupon_id: id, year, month, used, max_uses, expires_at, disabled_at } = coupon;
    const isOver = expires_at <= now || used >= max_uses;
    const state = disabled_at ? ("disabled" as const) : isOver ? ("over" as const) : ("usable" as const);
    return { id, year, month, state, used, max_uses, expires_at: expires_at.toISOString() };
  });
  return { coupons };
}

export async function addCoupon(
  ctx: AppContext,
  me: Operator,
  { id, year, month, max_uses, expires_on }: ParsedOf<typeof createCouponCall>,
): Promise<void> {
  if (!COUPON_ID.pattern.test(id)) throw validationError({ id: "invalid_characters" });
  if (year + month === 0) throw validationError({ year: "plan_required" });
  const expiresAt = new Date(Date.parse(expires_on) + DAY_MS);
  if (expiresAt <= ctx.clock.now()) throw validationError({ expires_on: "too_old" });
  const action = `coupons create ${id} year=${year} month=${month} max-uses=${max_uses} expires-at=${expiresAt.toISOString()}`;
  await logOperatorAction(ctx, action, null, null, me.operatorId);
  const created = await createCoupon(ctx, { id, year, month, maxUses: max_uses, expiresAt });
  if (!created) throw new ApiError("conflict");
}

export async function endCoupon(ctx: AppContext, me: Operator, id: string): Promise<void> {
  await logOperatorAction(ctx, `coupons disable ${id}`, null, null, me.operatorId);
  if (!(await disableCoupon(ctx, id))) throw new ApiError("coupon_not_found");
}

/** Leaves out members: their payments are among the facts of an account, which need a reason. */
export async function readPayments(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getPayments>> {
  await logOperatorAction(ctx, "payments list", null, null, me.operatorId);
  const orders = await listOrders(ctx, null);
  const transfers = await listTransfers(ctx, null);
  return {
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

export async function readLog(
  ctx: AppContext,
  me: Operator,
  { before }: ParsedOf<typeof getLog>,
): Promise<ResponseOf<typeof getLog>> {
  await logOperatorAction(ctx, "log list", null, null, me.operatorId);
  const names = await readOperatorNames(ctx);
  const entries = await readOperatorActions(ctx, null, before ?? null);
  return {
    has_more: entries.length === LOG_PAGE,
    entries: entries.map(({ no, at, action, operatorId, subject, reason }) => ({
      no,
      at: at.toISOString(),
      operator: operatorId && (names.get(operatorId) ?? null),
      action,
      subject: subject === "-" ? null : subject,
      reason,
    })),
  };
}
