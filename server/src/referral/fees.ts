import { randomUUID } from "node:crypto";
import { lockMember } from "../members/locks.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";
import * as ledger from "./ledger.sql.ts";
import { isOwnAccount, recordAccount } from "./paypal-accounts.ts";

interface PaidOrder {
  readonly memberId: number;
  readonly inviter: number | null;
  readonly orderId: string;
  readonly usdCents: number;
  readonly payer: PayPalIdentity;
}

/** The caller holds the locks of both members. */
export async function handlePaidOrder(tx: Tx, ctx: AppContext, order: PaidOrder): Promise<void> {
  await recordAccount(tx, ctx, order.memberId, order.payer);
  if (order.inviter !== null) await recordFee(tx, ctx, order.inviter, order);
}

async function recordFee(
  tx: Tx,
  ctx: AppContext,
  inviter: number,
  { orderId, usdCents, payer }: PaidOrder,
): Promise<void> {
  const receiver = await lockMember(tx, inviter);
  if (!receiver || (await isOwnAccount(tx, ctx, inviter, payer))) return;
  const percentage = receiver.brokeragePercentage ?? ctx.config.brokeragePercentage;
  const usd_cents = calculateFee(usdCents, percentage);
  if (usd_cents === 0) return;
  const now = ctx.clock.now();
  await ledger.insertEntry(tx, {
    member_no: inviter,
    entry_id: randomUUID(),
    kind: "fee",
    usd_cents,
    order_id: orderId,
    percentage,
    transfer_id: null,
    at: floorTo(now, DAY_MS),
    available_at: endOfHold(now, ctx.config.brokerageHoldDays),
  });
  await ctx.domainEvents.emit(tx, "fee_recorded", { memberId: inviter, usdCents: usd_cents });
}

interface RefundedOrder {
  readonly memberId: number | null;
  readonly inviter: number | null;
  readonly orderId: string;
  readonly leftUsdCents: number;
}

/**
 * Uses the fee's percentage. The order is locked, so a repeated refund reverses nothing twice. After the hold, the
 * available balance may become negative.
 */
export async function reverseFee(tx: Tx, ctx: AppContext, order: RefundedOrder): Promise<void> {
  const { memberId, inviter, orderId, leftUsdCents } = order;
  const receiver = memberId === null ? await ledger.findFeeReceiver(tx, orderId) : inviter;
  if (receiver === null || !(await lockMember(tx, receiver))) return;
  const fee = await ledger.findFee(tx, receiver, orderId);
  if (!fee) return;
  const usd_cents = calculateFee(leftUsdCents, fee.percentage) - fee.cents;
  if (usd_cents >= 0) return;
  await ledger.insertEntry(tx, {
    member_no: receiver,
    entry_id: randomUUID(),
    kind: "fee_reversed",
    usd_cents,
    order_id: orderId,
    percentage: null,
    transfer_id: null,
    at: floorTo(ctx.clock.now(), DAY_MS),
    available_at: fee.availableAt,
  });
  await ctx.domainEvents.emit(tx, "fee_recorded", { memberId: receiver, usdCents: usd_cents });
}

/** Locks the fee's receiver before the order. */
export async function lockFeeReceiver(tx: Tx, archiveId: string): Promise<void> {
  const receiver = await ledger.findFeeReceiver(tx, archiveId);
  if (receiver !== null) await lockMember(tx, receiver);
}

/** Rounds up. Without a hold the fee is available at once. */
function endOfHold(now: Date, days: number): Date {
  return days === 0 ? floorTo(now, HOUR_MS) : ceilTo(new Date(now.getTime() + days * DAY_MS), HOUR_MS);
}

function calculateFee(usdCents: number, percentage: number): number {
  return Math.floor((usdCents * percentage) / 100);
}
