import { randomUUID } from "node:crypto";
import { lockMember } from "../members/locks.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { decryptTime, encryptTime } from "../platform/security/exact-time.ts";
import {
  PaymentRejectedError,
  type Payments,
  PaymentUnknownError,
  type Payout,
} from "../integrations/paypal/payments.ts";
import { insertEntry } from "./ledger.sql.ts";
import { isReturned, laterState, nextPollAt, toTransferState, toUsdCents } from "./payout.ts";
import type { TransferState } from "./tables.ts";
import * as rows from "./transfers.sql.ts";

export function transferEmailContext(transferId: string): string {
  return `transfers.encrypted_email:${transferId}`;
}

const sentAtContext = (transferId: string): string => `transfers.encrypted_created_at:${transferId}`;

export async function encryptSentAt(
  { encryption }: AppContext,
  memberId: number,
  transferId: string,
  at: Date,
): Promise<Buffer> {
  return encryptTime(encryption, memberId, at, sentAtContext(transferId));
}

export async function decryptSentAt({ encryption }: AppContext, transfer: rows.TransferRow): Promise<Date> {
  return decryptTime(encryption, transfer.encrypted_created_at, sentAtContext(transfer.transfer_id));
}

/**
 * PayPal accepts each id once.
 *
 * Only a rejection of the first request returns the amount. A later one does not reveal whether an earlier request
 * succeeded, whose response was lost.
 */
export async function sendTransfer(
  ctx: AppContext,
  payments: Payments,
  transfer: rows.TransferRow,
  { isFirst }: { isFirst: boolean },
): Promise<TransferState> {
  const { transfer_id: id, usd_cents: cents, encrypted_email } = transfer;
  if (!encrypted_email) return transfer.state;
  const email = await ctx.encryption.decrypt(encrypted_email, transferEmailContext(id));
  const payout = await createPayout(ctx, payments, { id, cents, email });
  if (payout === "unknown" || (payout === "rejected" && !isFirst)) return transfer.state;
  return settleTransfer(ctx, transfer, payout === "rejected" ? null : payout);
}

export async function createPayout(
  ctx: AppContext,
  payments: Payments,
  { id, cents, email }: { id: string; cents: number; email: string },
): Promise<Payout | "rejected" | "unknown"> {
  try {
    return await payments.createPayout({ batchId: id, itemId: id, email, cents });
  } catch (error) {
    if (error instanceof PaymentUnknownError) {
      ctx.log.warn({ err: error, transfer: id }, "outcome of a transfer unknown");
      return "unknown";
    }
    if (!(error instanceof PaymentRejectedError)) throw error;
    ctx.log.warn({ reason: error.rejection.name, transfer: id }, "PayPal rejected a transfer");
    return "rejected";
  }
}

/**
 * Changes transfer and ledger in one transaction; a null `payout` is a rejection. A returned amount is available again
 * once. The order of calls makes no difference.
 */
export async function settleTransfer(
  ctx: AppContext,
  key: rows.TransferKey,
  payout: Payout | null,
): Promise<TransferState> {
  const unchanged = (state: TransferState) => ({ state, isNew: false });
  const settled = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, key.member_no))) return unchanged("sending");
    const transfer = await rows.lockTransfer(tx, key);
    if (!transfer) return unchanged("sending");
    if (payout && !matchesTransfer(ctx, transfer, payout)) return unchanged(transfer.state);
    const newState = payout ? toTransferState(payout) : rejectedState(transfer);
    const state = laterState(transfer.state, newState);
    const now = ctx.clock.now();
    const isNewlyReturned = state !== transfer.state && isReturned(state);
    if (isNewlyReturned) {
      await insertEntry(tx, {
        member_no: transfer.member_no,
        entry_id: randomUUID(),
        kind: "transfer_returned",
        usd_cents: transfer.usd_cents,
        order_id: null,
        percentage: null,
        transfer_id: transfer.transfer_id,
        at: floorTo(now, DAY_MS),
        available_at: null,
      });
    }
    await rows.updateTransfer(tx, key, {
      state,
      encrypted_email: state === "sending" ? transfer.encrypted_email : null,
      payout_batch_id: payout?.payoutBatchId ?? transfer.payout_batch_id,
      next_poll_at: nextPollAt(state, await decryptSentAt(ctx, transfer), now),
    });
    return { state, isNew: state !== transfer.state };
  });
  if (settled.isNew) ctx.metrics.recordTransfer(settled.state);
  return settled.state;
}

function rejectedState({ state }: rows.TransferRow): TransferState {
  return state === "sending" ? "failed" : state;
}

export function matchesTransfer(
  ctx: AppContext,
  { transfer_id, usd_cents, payout_batch_id }: SentTransfer,
  { payoutBatchId, item }: Payout,
): boolean {
  const isSameBatch = payout_batch_id === null || payout_batch_id === payoutBatchId;
  const isSameItem =
    !item || (toUsdCents(item.amount) === usd_cents && (item.itemId === null || item.itemId === transfer_id));
  const isSame = isSameBatch && isSameItem;
  if (!isSame) ctx.log.error({ transfer: transfer_id }, "payout at PayPal does not match its transfer");
  return isSame;
}

type SentTransfer = Pick<rows.TransferRow, "transfer_id" | "usd_cents" | "payout_batch_id">;
