import { randomUUID } from "node:crypto";
import { lockMember } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as ledger from "./ledger.sql.ts";

interface PaidOrder {
  readonly inviter: number | null;
  readonly orderId: string;
  readonly usdCents: number;
}

/** Adds the fee to the ledger of the inviter, if there is one. The caller holds the inviter's lock. */
export async function recordFee(
  tx: Tx,
  ctx: AppContext,
  { inviter, orderId, usdCents }: PaidOrder,
): Promise<void> {
  const receiver = inviter === null ? null : await lockMember(tx, inviter);
  if (inviter === null || !receiver) return;
  const percentage = receiver.brokeragePercentage ?? ctx.config.brokeragePercentage;
  const usd_cents = calculateFee(usdCents, percentage);
  if (usd_cents === 0) return;
  await ledger.insertEntry(tx, {
    member_no: inviter,
    entry_id: randomUUID(),
    kind: "fee",
    usd_cents,
    order_id: orderId,
    percentage,
    transfer_id: null,
    at: ctx.clock.now(),
  });
}

interface RefundedOrder {
  /** Null after the buyer's deletion. */
  readonly memberId: number | null;
  readonly inviter: number | null;
  readonly orderId: string;
  readonly leftUsdCents: number;
}

/**
 * Reverses the refunded share of a fee at its original percentage. The order is locked, so a repeated refund reverses
 * nothing twice. The available balance may become negative.
 */
export async function reverseFee(tx: Tx, ctx: AppContext, order: RefundedOrder): Promise<void> {
  const { memberId, inviter, orderId, leftUsdCents } = order;
  const receiver = memberId === null ? await ledger.findFeeReceiver(tx, orderId) : inviter;
  if (receiver === null || !(await lockMember(tx, receiver))) return;
  const fee = await ledger.findFee(tx, receiver, orderId);
  const usd_cents = fee ? calculateFee(leftUsdCents, fee.percentage) - fee.cents : 0;
  if (usd_cents >= 0) return;
  await ledger.insertEntry(tx, {
    member_no: receiver,
    entry_id: randomUUID(),
    kind: "fee_reversed",
    usd_cents,
    order_id: orderId,
    percentage: null,
    transfer_id: null,
    at: ctx.clock.now(),
  });
}

function calculateFee(usdCents: number, percentage: number): number {
  return Math.floor((usdCents * percentage) / 100);
}
