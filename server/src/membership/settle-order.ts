import { findInviter, lockMembers } from "../accounts/index.ts";
import { isDeadlock, type Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import * as books from "./closed-orders.sql.ts";
import { nextLook } from "./poll-schedule.ts";
import { giveGrant, takeBackGrant } from "./memberships.ts";
import { smallestOf } from "./order-money.ts";
import * as rows from "./orders.sql.ts";
import { isPaidState, judge, type Payment } from "./payment.ts";
import type { OrderState } from "./tables.ts";

/** The parties of an order, or its place in the closed books. */
export interface OrderRef {
  readonly member_no: number | null;
  readonly order_id: string;
}

const TRIES = 5;

/**
 * Brings an order to what PayPal says of it, with everything that follows, in one transaction: the membership is given
 * once and taken back as far as money went back. In whatever order, however often and from however many processes at
 * once PayPal's words arrive, the end is the same. Answers the order; null when its member has left.
 */
export async function settle(
  ctx: AppContext,
  ref: OrderRef,
  payment: Payment,
): Promise<rows.OrderRow | null> {
  const { member_no, order_id } = ref;
  if (member_no === null) {
    await settleClosed(ctx, order_id, payment);
    return null;
  }
  for (let tried = 1; ; tried++) {
    try {
      const { order, tell } = await ctx.db
        .transaction()
        .execute((tx) => settleIn(tx, ctx, { member_no, order_id }, payment));
      tell();
      return order;
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error;
    }
  }
}

async function settleIn(tx: Tx, ctx: AppContext, key: rows.OrderKey, payment: Payment) {
  const inviter = await lockWithInviter(tx, key.member_no);
  const order = inviter === "gone" ? null : await rows.lockOrder(tx, key);
  if (inviter === "gone" || !order) return { order: null, tell: () => undefined };

  const now = ctx.clock.now();
  const { state, captureId, refunds, refunded } = judge(order, order.order_id, payment);
  if (state === "unclear" && order.state !== "unclear") {
    ctx.log.error(
      { order: order.order_id, capture: payment.capture?.id },
      "PayPal took money that does not fit its order: nothing was given for it, look at it there",
    );
  }
  const isNewlyPaid = isPaidState(state) && !isPaidState(order.state);
  const isNewlyDeclined = state === "declined" && (order.state !== state || order.capture_id !== captureId);
  const paid_at = isNewlyPaid ? now : order.paid_at;
  const change = {
    state,
    capture_id: captureId,
    refunds: JSON.stringify(refunds),
    refunded,
    paid_at,
    request_no: order.request_no + (isNewlyDeclined ? 1 : 0),
    look_at: nextLook(state, paid_at ?? order.created_at, now),
  };
  await rows.updateOrder(tx, key, change);
  if (captureId && captureId !== order.capture_id) {
    await rows.insertRef(tx, { paypal_id: captureId, kind: "capture", ...key });
  }

  const tells: (() => void)[] = [];
  const { usd_cents: usdCents, order_id: orderId, member_no: memberId } = order;
  if (isNewlyPaid) {
    const { year, month } = order;
    await giveGrant(tx, memberId, { year, month, source: "order", grantId: orderId }, now);
    tells.push(await ctx.domainEvents.follow(tx, "order_paid", { memberId, inviter, orderId, usdCents }));
  }
  if (refunded > order.refunded) {
    const left = leftOf(order, refunded);
    await takeBackGrant(tx, memberId, orderId, left);
    const leftUsdCents = Math.floor((usdCents * left.part) / left.whole);
    const what = { memberId, inviter, orderId, usdCents, leftUsdCents };
    tells.push(await ctx.domainEvents.follow(tx, "order_taken_back", what));
  }
  return { order: { ...order, ...change, refunds }, tell: () => tells.forEach((each) => each()) };
}

function leftOf({ currency, price }: Pick<rows.OrderRow, "currency" | "price">, refunded: number) {
  const whole = smallestOf(currency, price);
  return { part: whole - refunded, whole };
}

/** Locks a member and whoever invited it, by rising number, and answers the latter; "gone" when there is no such member. */
async function lockWithInviter(tx: Tx, memberId: number): Promise<number | null | "gone"> {
  const expected = await findInviter(tx, memberId);
  const locked = await lockMembers(tx, expected === null ? [memberId] : [memberId, expected]);
  const member = locked.get(memberId);
  if (!member) return "gone";
  // The inviter never changes, but may have been deleted since the first statement.
  return member.invitedBy !== null && locked.has(member.invitedBy) ? member.invitedBy : null;
}

/** When PayPal is to be asked again about an order in the books. */
export function nextLookAtClosed(state: OrderState, paidOn: string | null, now: Date): Date | null {
  if (paidOn) return nextLook(state, new Date(paidOn), now);
  return ["capturing", "pending"].includes(state) ? new Date(now.getTime() + DAY_MS) : null;
}

/** The same for an order whose member has left: the books are kept, and nobody is given anything. */
async function settleClosed(ctx: AppContext, bookId: string, payment: Payment): Promise<void> {
  const tell = await ctx.db.transaction().execute(async (tx) => {
    const order = await books.lockClosed(tx, bookId);
    if (!order) return () => undefined;
    const now = ctx.clock.now();
    const { state, captureId, refunds, refunded } = judge(order, null, payment);
    const isNewlyPaid = isPaidState(state) && !isPaidState(order.state);
    if (isNewlyPaid && state !== "refunded") {
      ctx.log.error(
        { capture: captureId },
        "PayPal took money of a member who has left meanwhile: give it back there",
      );
    }
    const paid_on = isNewlyPaid ? utcDay(now) : order.paid_on;
    await books.updateClosed(tx, bookId, {
      state,
      capture_id: captureId,
      refunds: JSON.stringify(refunds),
      refunded,
      paid_on,
      look_at: nextLookAtClosed(state, paid_on, now),
    });
    if (captureId && captureId !== order.capture_id) {
      await rows.insertRef(tx, { paypal_id: captureId, kind: "capture", member_no: null, order_id: bookId });
    }
    if (refunded <= order.refunded) return () => undefined;
    const left = leftOf(order, refunded);
    const leftUsdCents = Math.floor((order.usd_cents * left.part) / left.whole);
    const { usd_cents: usdCents } = order;
    const what = { memberId: null, inviter: null, orderId: bookId, usdCents, leftUsdCents };
    return ctx.domainEvents.follow(tx, "order_taken_back", what);
  });
  tell();
}
