import { randomUUID } from "node:crypto";
import { lockMember } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as ledger from "./ledger.sql.ts";

/** An order that was paid, of a member whom `inviter` invited; that one's row is locked. */
interface PaidOrder {
  readonly inviter: number | null;
  readonly orderId: string;
  readonly usdCents: number;
}

/** Writes an inviter's fee for an order into its ledger; nobody's, when nobody invited or the inviter has left. */
export async function earnFee(
  tx: Tx,
  ctx: AppContext,
  { inviter, orderId, usdCents }: PaidOrder,
): Promise<void> {
  const earner = inviter === null ? null : await lockMember(tx, inviter);
  if (inviter === null || !earner) return;
  const percentage = earner.brokeragePercentage ?? ctx.config.brokeragePercentage;
  const usd_cents = feeOf(usdCents, percentage);
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

interface TakenBackOrder {
  /** Null once the buyer has left. */
  readonly memberId: number | null;
  readonly inviter: number | null;
  readonly orderId: string;
  readonly leftUsdCents: number;
}

/**
 * Takes back what a fee is more than what is still paid for earns, at the percentage of that time. The order is locked,
 * so that the same refund, told twice, takes nothing twice. It may leave less than nothing to be transferred.
 */
export async function takeFeeBack(tx: Tx, ctx: AppContext, order: TakenBackOrder): Promise<void> {
  const { memberId, inviter, orderId, leftUsdCents } = order;
  const earner = memberId === null ? await ledger.findEarner(tx, orderId) : inviter;
  if (earner === null || !(await lockMember(tx, earner))) return;
  const fee = await ledger.findFee(tx, earner, orderId);
  const usd_cents = fee ? feeOf(leftUsdCents, fee.percentage) - fee.cents : 0;
  if (usd_cents >= 0) return;
  await ledger.insertEntry(tx, {
    member_no: earner,
    entry_id: randomUUID(),
    kind: "fee_taken_back",
    usd_cents,
    order_id: orderId,
    percentage: null,
    transfer_id: null,
    at: ctx.clock.now(),
  });
}

/** Whole cents, rounded down (decisions, section 6). */
function feeOf(usdCents: number, percentage: number): number {
  return Math.floor((usdCents * percentage) / 100);
}
