import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { repeatFullBatches, type Polled } from "../platform/jobs/full-batches.ts";
import { type Payments, PaymentRejectedError, PaymentUnknownError } from "../integrations/paypal/payments.ts";
import { resendArchived } from "./on-member-deleted.ts";
import { isTransferId, canResend, nextPollAt } from "./payout.ts";
import { decryptSentAt, sendTransfer, settleTransfer } from "./send-transfer.ts";
import * as rows from "./transfers.sql.ts";

const TRANSFERS_PER_BATCH = 100;
const RECONCILE_EVERY_MS = 5 * MINUTE_MS;
const ANY_TIME_MS = 365 * DAY_MS;
const MAX_LISTED = 200;

/** Resends unconfirmed transfers, and finds returns without a webhook. */
export async function reconcileTransfers(
  ctx: AppContext,
  { isAll = false, perBatch = TRANSFERS_PER_BATCH } = {},
): Promise<Polled> {
  const count = { polled: 0, failed: 0 };
  const { payments } = ctx;
  if (!payments) return count;
  const now = ctx.clock.now();
  const due = isAll ? new Date(now.getTime() + ANY_TIME_MS) : now;
  const limit = isAll ? null : perBatch;
  for (const transfer of await rows.findDueTransfers(ctx.db, due, limit)) {
    count.polled++;
    try {
      await pollTransfer(ctx, payments, transfer);
    } catch (error) {
      if (!(error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)) throw error;
      const { transfer_id } = transfer;
      ctx.log.warn({ err: error, transfer: transfer_id }, "polling a transfer at PayPal failed");
      count.failed++;
    }
    // Also after an error, so that other transfers go first in the next batch.
    const after = await rows.findTransfer(ctx.db, transfer);
    if (after) {
      const nextPoll = nextPollAt(after.state, await decryptSentAt(ctx, after), now);
      await rows.postponePoll(ctx.db, after, now, nextPoll);
    }
  }
  const archived = await resendArchived(ctx, payments, due, limit);
  return { polled: count.polled + archived.polled, failed: count.failed + archived.failed };
}

export function reconcileDueTransfers(
  ctx: AppContext,
  { perBatch = TRANSFERS_PER_BATCH } = {},
): Promise<void> {
  return repeatFullBatches(() => reconcileTransfers(ctx, { perBatch }), {
    size: perBatch,
    maxMs: RECONCILE_EVERY_MS,
  });
}

export async function reconcileTransfer(ctx: AppContext, transfer: rows.TransferRow): Promise<void> {
  if (ctx.payments) await pollTransfer(ctx, ctx.payments, transfer);
}

export async function listTransfers(ctx: AppContext, memberId: number | null): Promise<rows.TransferRow[]> {
  return memberId === null
    ? rows.readLatestTransfers(ctx.db, MAX_LISTED)
    : rows.readTransfers(ctx.db, memberId);
}

/** Returns false while PayPal has the transfer or it may be sent again. */
export async function returnUnsent(ctx: AppContext, transfer: rows.TransferRow): Promise<boolean> {
  if (transfer.state !== "sending") return false;
  if (canResend(await decryptSentAt(ctx, transfer), ctx.clock.now())) return false;
  return (await settleTransfer(ctx, transfer, null)) === "failed";
}

async function pollTransfer(ctx: AppContext, payments: Payments, transfer: rows.TransferRow): Promise<void> {
  const { payout_batch_id, transfer_id, state } = transfer;
  if (payout_batch_id !== null) {
    await settleTransfer(ctx, transfer, await payments.showPayout(payout_batch_id));
  } else if (state === "sending" && canResend(await decryptSentAt(ctx, transfer), ctx.clock.now())) {
    await sendTransfer(ctx, payments, transfer, { isFirst: false });
  } else if (state === "sending") {
    ctx.log.error(
      { transfer: transfer_id },
      "transfer never confirmed by PayPal and too old to repeat, check it there",
    );
  }
}

const Id = z.optional(z.string());
const Resource = z.object({
  sender_batch_id: Id,
  payout_item: z.optional(z.object({ sender_item_id: Id })),
  batch_header: z.optional(z.object({ sender_batch_header: z.optional(z.object({ sender_batch_id: Id })) })),
});

export async function schedulePoll(
  tx: Tx,
  ctx: AppContext,
  { type, resource }: { type: string; resource: Readonly<Record<string, unknown>> },
): Promise<void> {
  const parsed = type.startsWith("PAYMENT.PAYOUTS") ? z.safeParse(Resource, resource) : null;
  if (!parsed?.success) return;
  const { payout_item, sender_batch_id, batch_header } = parsed.data;
  const transferId =
    payout_item?.sender_item_id ?? sender_batch_id ?? batch_header?.sender_batch_header?.sender_batch_id;
  if (!transferId || !isTransferId(transferId) || !(await rows.findTransferById(tx, transferId))) return;
  await ctx.jobs.add(tx, "poll_transfer", { transfer: transferId });
}

export async function pollTransferById(ctx: AppContext, transferId: string): Promise<void> {
  const transfer = await rows.findTransferById(ctx.db, transferId);
  if (transfer && ctx.payments) await pollTransfer(ctx, ctx.payments, transfer);
}
