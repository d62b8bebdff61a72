import { findInviter } from "../members/members.sql.ts";
import { lockMembers } from "../members/locks.ts";
import type { Tx } from "../platform/db/database.ts";
import { isDeadlock } from "../platform/db/errors.ts";
import type { AppContext } from "../platform/context.ts";
import { DAY_MS, MINUTE_MS, pollTimeAfter, utcDay } from "../platform/clock.ts";
import * as archive from "./order-archive.sql.ts";
import { type Conditions, conditionsAtPayment, decryptConditions, encryptConditions } from "./conditions.ts";
import { nextPollAt } from "./poll-schedule.ts";
import { queueReceipt } from "./emails/receipt.ts";
import { addGrant, revokeGrant } from "./memberships.ts";
import { toSmallestUnit } from "./order-money.ts";
import { timeOfOrder } from "./order-id.ts";
import * as rows from "./orders.sql.ts";
import { decryptPaidAt, decryptWithdrawnAt, encryptPaidAt } from "./present.ts";
import { isPaidState, applyPayment, type Payment } from "./payment.ts";

export interface OrderRef {
  readonly member_no: number | null;
  readonly order_id: string;
}

const ATTEMPTS = 5;
const REPEATED_REFUND_MS = 10 * MINUTE_MS;

/**
 * Grants the membership once and revokes it in proportion to refunds. The result does not depend on the order, number
 * or concurrency of PayPal's messages.
 *
 * Returns null if the member was deleted.
 */
export async function settleOrder(
  ctx: AppContext,
  ref: OrderRef,
  payment: Payment,
): Promise<rows.OrderRow | null> {
  const { member_no, order_id } = ref;
  if (member_no === null) {
    await settleArchived(ctx, order_id, payment);
    return null;
  }
  const { order, afterCommit } = await runUntilNoDeadlock(() =>
    ctx.db.transaction().execute((tx) => settleInTransaction(tx, ctx, { member_no, order_id }, payment)),
  );
  afterCommit();
  return order;
}

export async function runUntilNoDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isDeadlock(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function settleInTransaction(tx: Tx, ctx: AppContext, key: rows.OrderKey, payment: Payment) {
  const inviter = await lockWithInviter(tx, key.member_no);
  const order = inviter === "gone" ? null : await rows.lockOrder(tx, key);
  if (inviter === "gone" || !order) return { order: null, afterCommit: () => undefined };

  const now = ctx.clock.now();
  const applied = applyPayment(order, order.order_id, payment);
  const { state, captureId, refunds, refunded } = applied;
  if (state === "unclear" && order.state !== "unclear") {
    ctx.log.error(
      { order: order.order_id, capture: payment.capture?.id },
      "captured payment does not match its order, nothing was granted",
    );
  }
  const isNewlyPaid = isPaidState(state) && !isPaidState(order.state);
  const isNewlyDeclined = state === "declined" && (order.state !== state || order.capture_id !== captureId);
  const paidAt = isNewlyPaid ? now : await decryptPaidAt(ctx, order);
  const withdrawal_state = applied.isAllGivenBack && order.withdrawal_state ? "done" : order.withdrawal_state;
  const conditions = isNewlyPaid
    ? conditionsAtPayment(ctx, await decryptConditions(ctx, order), payment.payerCountry)
    : null;
  const isRefunding = withdrawal_state === "pending";
  const since = isRefunding ? await decryptWithdrawnAt(ctx, order) : paidAt;
  const change = {
    state,
    capture_id: captureId,
    refunds: JSON.stringify(refunds),
    refunded,
    paid_on: isNewlyPaid ? utcDay(now) : order.paid_on,
    encrypted_paid_at: isNewlyPaid ? await encryptPaidAt(ctx, order, now) : order.encrypted_paid_at,
    ...(conditions && (await paidColumns(tx, ctx, order, conditions))),
    request_no: order.request_no + (isNewlyDeclined ? 1 : 0),
    ...(withdrawal_state && { withdrawal_state }),
    next_poll_at: rows.isAtPayPal(order)
      ? nextPollAt(isRefunding ? "refunding" : state, since ?? timeOfOrder(order), now, holdMsOf(ctx))
      : null,
  };
  await rows.updateOrder(tx, key, change);
  if (captureId && captureId !== order.capture_id) {
    await rows.insertRef(tx, { paypal_id: captureId, kind: "capture", ...key });
  }

  const callbacks: (() => void)[] = [];
  if (state !== order.state) callbacks.push(() => ctx.metrics.recordOrder(state));
  const { usd_cents: usdCents, order_id: orderId, member_no: memberId } = order;
  if (conditions) {
    const { year, month } = order;
    await addGrant(tx, ctx, memberId, { year, month, source: "order", grantId: orderId }, now);
    await queueReceipt(tx, ctx, key);
    const amount = toSmallestUnit(order.currency, order.price);
    const sum = { usdCents, currency: order.currency, amount, country: conditions.country };
    const paid = { memberId, inviter, orderId, ...sum, payer: payment.payer };
    callbacks.push(await ctx.domainEvents.emit(tx, "order_paid", paid));
  }
  if (refunded > order.refunded) {
    await revokeGrant(tx, ctx, memberId, orderId, remainingShare(order, refunded));
    callbacks.push(await emitRefund(tx, ctx, order, inviter, refunded));
  }
  return {
    order: { ...order, ...change, refunds },
    afterCommit: () => callbacks.forEach((callback) => callback()),
  };
}

export function emitRefund(
  tx: Tx,
  ctx: AppContext,
  order: rows.OrderRow,
  inviter: number | null,
  refunded: number,
): Promise<() => void> {
  const { member_no: memberId, order_id: orderId, usd_cents: usdCents, currency } = order;
  const sum = {
    usdCents,
    leftUsdCents: leftCents(order, refunded),
    currency,
    amount: refunded - order.refunded,
  };
  return ctx.domainEvents.emit(tx, "order_refunded", { memberId, inviter, orderId, ...sum });
}

function leftCents(order: Pick<rows.OrderRow, "currency" | "price" | "usd_cents">, refunded: number): number {
  const { remaining, total } = remainingShare(order, refunded);
  return Math.floor((order.usd_cents * remaining) / total);
}

async function paidColumns(tx: Tx, ctx: AppContext, order: rows.OrderRow, conditions: Conditions) {
  return {
    number: await rows.nextReceiptNumber(tx, ctx.clock.now()),
    encrypted_conditions: await encryptConditions(ctx, order, conditions),
  };
}

function remainingShare({ currency, price }: Pick<rows.OrderRow, "currency" | "price">, refunded: number) {
  const total = toSmallestUnit(currency, price);
  return { remaining: total - refunded, total };
}

/** Locks a member and their inviter by rising number. */
export async function lockWithInviter(tx: Tx, memberId: number): Promise<number | null | "gone"> {
  const expected = await findInviter(tx, memberId);
  const locked = await lockMembers(tx, expected === null ? [memberId] : [memberId, expected]);
  const member = locked.get(memberId);
  if (!member) return "gone";
  return member.invitedBy !== null && locked.has(member.invitedBy) ? member.invitedBy : null;
}

const holdMsOf = ({ config }: AppContext): number => config.brokerageHoldDays * DAY_MS;

type Polled = Pick<archive.ArchivedOrderRow, "kind" | "state" | "paid_on" | "withdrawal_state">;

export function nextPollOfArchived(
  ctx: AppContext,
  { kind, state, paid_on, withdrawal_state }: Polled,
): Date | null {
  const now = ctx.clock.now();
  if (kind === "bank") return null;
  if (withdrawal_state === "pending") return pollTimeAfter(now, REPEATED_REFUND_MS);
  if (paid_on) return nextPollAt(state, new Date(paid_on), now, holdMsOf(ctx));
  return ["capturing", "pending"].includes(state) ? pollTimeAfter(now, DAY_MS) : null;
}

async function settleArchived(ctx: AppContext, archiveId: string, payment: Payment): Promise<void> {
  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    await ctx.domainEvents.emit(tx, "archived_order_settling", { archiveId });
    const order = await archive.lockArchived(tx, archiveId);
    if (!order) return () => undefined;
    const now = ctx.clock.now();
    const applied = applyPayment(order, null, payment);
    const { state, captureId, refunds, refunded } = applied;
    const isNewlyPaid = isPaidState(state) && !isPaidState(order.state);
    if (isNewlyPaid && state !== "refunded") {
      ctx.log.error(
        { capture: captureId },
        "payment captured after the member was deleted, refund it at PayPal",
      );
    }
    const paid_on = isNewlyPaid ? utcDay(now) : order.paid_on;
    const { kind } = order;
    const withdrawal_state =
      applied.isAllGivenBack && order.withdrawal_state ? "done" : order.withdrawal_state;
    await archive.updateArchived(tx, archiveId, {
      state,
      capture_id: captureId,
      refunds: JSON.stringify(refunds),
      refunded,
      paid_on,
      ...(withdrawal_state && { withdrawal_state }),
      next_poll_at: nextPollOfArchived(ctx, { kind, state, paid_on, withdrawal_state }),
    });
    if (captureId && captureId !== order.capture_id) {
      await rows.insertRef(tx, {
        paypal_id: captureId,
        kind: "capture",
        member_no: null,
        order_id: archiveId,
      });
    }
    if (refunded <= order.refunded) return () => undefined;
    const { usd_cents: usdCents } = order;
    const leftUsdCents = leftCents(order, refunded);
    const sum = { usdCents, leftUsdCents, currency: order.currency, amount: refunded - order.refunded };
    const what = { memberId: null, inviter: null, orderId: archiveId, ...sum };
    return ctx.domainEvents.emit(tx, "order_refunded", what);
  });
  afterCommit();
}
