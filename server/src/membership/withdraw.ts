import type { Order, Refund } from "@alcove/contract/membership";
import { findTimeZone } from "../members/members.sql.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { decryptConditions, refusesTerms, withdrawUntil } from "./conditions.ts";
import { queueWithdrawalEmail } from "./emails/receipt.ts";
import { endGrant, layOut, listGrants } from "./memberships.ts";
import { toSmallestUnit } from "./order-money.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, stateAfter } from "./payment.ts";
import { nextPollAt } from "./poll-schedule.ts";
import { decryptPaidAt, encryptWithdrawnAt, presentOrder, presentRefund } from "./present.ts";
import { sendFirstRefund, sendRefundAgain } from "./send-refund.ts";
import { emitRefund, lockWithInviter, runUntilNoDeadlock } from "./settle-order.ts";
import { paysForDaysUsed, shareOfUnused } from "./withdrawal-claim.ts";

interface Withdrawn {
  readonly order: Order;
  readonly refund: Refund;
}

export async function previewWithdrawal(
  ctx: AppContext,
  me: CurrentMember,
  orderId: string,
): Promise<Withdrawn> {
  const order = await findOwn(ctx, me, orderId);
  const shown = await presentOrder(ctx, order);
  if (order.withdrawal_state) return { order: shown, refund: presentRefund(order)! };
  const withdrawal_amount = await amountOf(ctx.db, ctx, order, refusesTerms(me));
  return {
    order: shown,
    refund: presentRefund({ ...order, withdrawal_amount, withdrawal_state: "pending" })!,
  };
}

/**
 * Stores the withdrawal, then asks PayPal. Requests of this process share one request to PayPal.
 *
 * @throws order_not_found, withdrawal_over, not_withdrawable
 */
export function createWithdraw(ctx: AppContext) {
  const running = new Map<string, Promise<void>>();
  return async (me: CurrentMember, orderId: string): Promise<Withdrawn> => {
    const key = await findOwn(ctx, me, orderId);
    const { order, isNew } = await beginWithdrawal(ctx, key, refusesTerms(me));
    if (order.withdrawal_state === "pending") {
      const { order_id: id } = key;
      const send = () => (isNew ? sendFirstRefund(ctx, order) : sendRefundAgain(ctx, order));
      const sending = running.get(id) ?? send().finally(() => running.delete(id));
      running.set(id, sending);
      await sending;
    }
    const after = await findOwn(ctx, me, orderId);
    return { order: await presentOrder(ctx, after), refund: presentRefund(after)! };
  };
}

async function findOwn(ctx: AppContext, me: CurrentMember, orderId: string): Promise<rows.OrderRow> {
  const order = await rows.findOrder(ctx.db, { member_no: me.memberId, order_id: orderId.toLowerCase() });
  if (!order) throw new ApiError("order_not_found");
  return order;
}

async function beginWithdrawal(ctx: AppContext, key: rows.OrderKey, isRefusing: boolean) {
  const { order, isNew, afterCommit } = await runUntilNoDeadlock(() =>
    ctx.db.transaction().execute((tx) => storeWithdrawal(tx, ctx, key, isRefusing)),
  );
  afterCommit();
  return { order, isNew };
}

async function storeWithdrawal(tx: Tx, ctx: AppContext, key: rows.OrderKey, isRefusing: boolean) {
  const inviter = await lockWithInviter(tx, key.member_no);
  const order = inviter === "gone" ? null : await rows.lockOrder(tx, key);
  if (inviter === "gone" || !order) throw new ApiError("order_not_found");
  if (order.withdrawal_state) return { order, isNew: false, afterCommit: () => undefined };

  const amount = await amountOf(tx, ctx, order, isRefusing);
  const now = ctx.clock.now();
  const refunded = order.refunded + amount;
  const change = {
    state: stateAfter(order, refunded),
    refunded,
    withdrawal_amount: amount,
    withdrawal_state: "pending",
    encrypted_withdrawn_at: await encryptWithdrawnAt(ctx, order, now),
    next_poll_at: order.kind === "paypal" ? nextPollAt("refunding", now, now) : null,
  } as const;
  await rows.updateOrder(tx, order, change);
  await endGrant(tx, ctx, order.member_no, order.order_id, now);
  const withdrawn = { ...order, ...change };
  await queueWithdrawalEmail(tx, ctx, withdrawn, await findTimeZone(tx, order.member_no));
  const tellOthers = await emitRefund(tx, ctx, order, inviter, refunded);
  return {
    order: withdrawn,
    isNew: true,
    afterCommit: () => {
      if (change.state !== order.state) ctx.metrics.recordOrder(change.state);
      tellOthers();
    },
  };
}

/**
 * In the smallest unit.
 *
 * @throws withdrawal_over, not_withdrawable
 */
async function amountOf(db: Db, ctx: AppContext, order: rows.OrderRow, isRefusing: boolean): Promise<number> {
  const paidAt = await decryptPaidAt(ctx, order);
  const left = toSmallestUnit(order.currency, order.price) - order.refunded;
  if (!isPaidState(order.state) || !paidAt || left === 0) throw new ApiError("not_withdrawable");
  const conditions = await decryptConditions(ctx, order);
  const now = ctx.clock.now();
  const until = withdrawUntil(conditions, paidAt);
  const isLawful = until !== null && now <= until;
  if (!isLawful && !isRefusing) throw new ApiError(until ? "withdrawal_over" : "not_withdrawable");
  if (isLawful && !paysForDaysUsed(conditions)) return left;
  const period = layOut(await listGrants(ctx, order.member_no, db)).periods.get(order.order_id);
  const amount = period ? shareOfUnused(left, period, now) : 0;
  if (amount === 0) throw new ApiError("not_withdrawable");
  return amount;
}
