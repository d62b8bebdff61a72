import * as z from "zod/mini";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { type Payments, PaymentRefused, PaymentUnknown } from "../integrations/paypal/payments.ts";
import { sendLeft } from "./on-member-deleted.ts";
import { isTransferId, maySendAgain, nextLook } from "./payout.ts";
import { send, settle } from "./send-transfer.ts";
import * as rows from "./transfers.sql.ts";

/** How many transfers one run asks PayPal about. */
const TRANSFERS_A_RUN = 100;
/** No look is put off for longer. */
const ANY_TIME_MS = 365 * DAY_MS;
const LISTED = 200;

/**
 * Asks PayPal about every transfer that is due: what was left between our commit and its answer is told again, what it
 * has accepted may have come back without a webhook arriving.
 */
export async function reconcileTransfers(
  ctx: AppContext,
  { isAll = false } = {},
): Promise<{ looked: number; failed: number }> {
  const count = { looked: 0, failed: 0 };
  const { payments } = ctx;
  if (!payments) return count;
  const now = ctx.clock.now();
  const due = isAll ? new Date(now.getTime() + ANY_TIME_MS) : now;
  const most = isAll ? null : TRANSFERS_A_RUN;
  for (const transfer of await rows.readDue(ctx.db, due, most)) {
    count.looked++;
    try {
      await lookAt(ctx, payments, transfer);
    } catch (error) {
      if (!(error instanceof PaymentUnknown || error instanceof PaymentRefused)) throw error;
      const { transfer_id } = transfer;
      ctx.log.warn({ err: error, transfer: transfer_id }, "PayPal could not be asked about a transfer");
      count.failed++;
    }
    // Also when it failed, so that the others have their turn.
    const after = await rows.findTransfer(ctx.db, transfer);
    if (after) await rows.putOff(ctx.db, after, now, nextLook(after.state, after.created_at, now));
  }
  const left = await sendLeft(ctx, payments, due, most);
  return { looked: count.looked + left.looked, failed: count.failed + left.failed };
}

/** The same for one transfer, when the operator wants it; throws where PayPal gives no answer. */
export async function reconcileTransfer(ctx: AppContext, transfer: rows.TransferRow): Promise<void> {
  if (ctx.payments) await lookAt(ctx, ctx.payments, transfer);
}

/** A member's transfers, or the newest of all; the newest first. For the operator alone. */
export async function listTransfers(ctx: AppContext, memberId: number | null): Promise<rows.TransferRow[]> {
  return memberId === null ? rows.readNewest(ctx.db, LISTED) : rows.readTransfers(ctx.db, memberId);
}

/**
 * Gives back what PayPal never had, as the operator has seen there. False as long as PayPal has it or may be told again
 * of it.
 */
export async function giveBack(ctx: AppContext, transfer: rows.TransferRow): Promise<boolean> {
  if (transfer.state !== "sending" || maySendAgain(transfer.created_at, ctx.clock.now())) return false;
  return (await settle(ctx, transfer, null)) === "failed";
}

/** Asks PayPal how a transfer stands, and brings ours to it. */
async function lookAt(ctx: AppContext, payments: Payments, transfer: rows.TransferRow): Promise<void> {
  const { payout_batch_id, transfer_id, created_at, state } = transfer;
  if (payout_batch_id !== null) {
    await settle(ctx, transfer, await payments.showPayout(payout_batch_id));
  } else if (state === "sending" && maySendAgain(created_at, ctx.clock.now())) {
    await send(ctx, payments, transfer, { isFirst: false });
  } else if (state === "sending") {
    ctx.log.error(
      { transfer: transfer_id },
      "PayPal never said whether it has a transfer, and would not know it again: look for it there",
    );
  }
}

const Id = z.optional(z.string());
const Resource = z.object({
  sender_batch_id: Id,
  payout_item: z.optional(z.object({ sender_item_id: Id })),
  batch_header: z.optional(z.object({ sender_batch_header: z.optional(z.object({ sender_batch_id: Id })) })),
});

/** Has a job look at the transfer that PayPal tells of, if it is one of ours. */
export async function hearOfPayout(
  tx: Tx,
  ctx: AppContext,
  { type, resource }: { type: string; resource: Readonly<Record<string, unknown>> },
): Promise<void> {
  const read = type.startsWith("PAYMENT.PAYOUTS") ? z.safeParse(Resource, resource) : null;
  if (!read?.success) return;
  const { payout_item, sender_batch_id, batch_header } = read.data;
  const named =
    payout_item?.sender_item_id ?? sender_batch_id ?? batch_header?.sender_batch_header?.sender_batch_id;
  if (!named || !isTransferId(named) || !(await rows.findById(tx, named))) return;
  await ctx.jobs.add(tx, "poll_transfer", { transfer: named });
}

/** Does that job; where PayPal gives no answer, it is tried again. */
export async function lookAtTransfer(ctx: AppContext, transferId: string): Promise<void> {
  const transfer = await rows.findById(ctx.db, transferId);
  if (transfer && ctx.payments) await lookAt(ctx, ctx.payments, transfer);
}
