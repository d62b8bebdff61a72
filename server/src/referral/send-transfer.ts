import { randomUUID } from "node:crypto";
import { lockMember } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import {
  PaymentRefused,
  type Payments,
  PaymentUnknown,
  type Payout,
} from "../integrations/paypal/payments.ts";
import { insertEntry } from "./ledger.sql.ts";
import { cameBack, laterOf, nextLook, stateOf, usdCentsOf } from "./payout.ts";
import type { TransferState } from "./tables.ts";
import * as rows from "./transfers.sql.ts";

/** The context under which the address of a transfer is sealed. */
export function emailContext(transferId: string): string {
  return `transfers.encrypted_email:${transferId}`;
}

/**
 * Tells PayPal of a transfer, again in the same words if it was told before: PayPal accepts each id once. Answers how
 * the transfer stands then.
 *
 * A refusal gives the amount back the first time alone. Later it says nothing of the time before, whose answer was lost:
 * what lacks the funds now may be what took them.
 */
export async function send(
  ctx: AppContext,
  payments: Payments,
  transfer: rows.TransferRow,
  { isFirst }: { isFirst: boolean },
): Promise<TransferState> {
  const { transfer_id: id, usd_cents: cents, encrypted_email } = transfer;
  if (!encrypted_email) return transfer.state;
  const email = ctx.encryption.decrypt(encrypted_email, emailContext(id));
  const said = await tellPayPal(ctx, payments, { id, cents, email });
  if (said === "nothing" || (said === "no" && !isFirst)) return transfer.state;
  return settle(ctx, transfer, said === "no" ? null : said);
}

/** Tells PayPal what to pay, under an id that it accepts once; answers what it has then, its refusal, or that it said nothing. */
export async function tellPayPal(
  ctx: AppContext,
  payments: Payments,
  { id, cents, email }: { id: string; cents: number; email: string },
): Promise<Payout | "no" | "nothing"> {
  try {
    return await payments.createPayout({ batchId: id, itemId: id, email, cents });
  } catch (error) {
    if (error instanceof PaymentUnknown) {
      ctx.log.warn({ err: error, transfer: id }, "it is not known whether PayPal has a transfer");
      return "nothing";
    }
    if (!(error instanceof PaymentRefused)) throw error;
    ctx.log.warn({ reason: error.apiError.name, transfer: id }, "PayPal refused a transfer");
    return "no";
  }
}

/**
 * Brings a transfer to what PayPal says of it, null for a refusal, in one transaction with the ledger: what comes back
 * is available again, once. In whatever order PayPal's words arrive, the end is the same.
 */
export async function settle(
  ctx: AppContext,
  key: rows.TransferKey,
  payout: Payout | null,
): Promise<TransferState> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, key.member_no))) return "sending"; // deleted meanwhile, with its ledger
    const transfer = await rows.lockTransfer(tx, key);
    if (!transfer) return "sending";
    if (payout && !isOf(ctx, transfer, payout)) return transfer.state;
    const seen = payout ? stateOf(payout) : refusedNow(transfer);
    const state = laterOf(transfer.state, seen);
    const now = ctx.clock.now();
    const comesBack = state !== transfer.state && cameBack(state);
    if (comesBack) {
      await insertEntry(tx, {
        member_no: transfer.member_no,
        entry_id: randomUUID(),
        kind: "transfer_returned",
        usd_cents: transfer.usd_cents,
        order_id: null,
        percentage: null,
        transfer_id: transfer.transfer_id,
        at: now,
      });
    }
    await rows.updateTransfer(tx, key, {
      state,
      encrypted_email: state === "sending" ? transfer.encrypted_email : null,
      payout_batch_id: payout?.payoutBatchId ?? transfer.payout_batch_id,
      next_poll_at: nextLook(state, transfer.created_at, now),
    });
    return state;
  });
}

/** A refusal says nothing of what PayPal has accepted before. */
function refusedNow({ state }: rows.TransferRow): TransferState {
  return state === "sending" ? "failed" : state;
}

/** Whether what PayPal shows is this transfer; if not, the operator has to look. */
export function isOf(
  ctx: AppContext,
  { transfer_id, usd_cents, payout_batch_id }: Told,
  { payoutBatchId, item }: Payout,
): boolean {
  const isSameBatch = payout_batch_id === null || payout_batch_id === payoutBatchId;
  const isSameItem =
    !item || (usdCentsOf(item.amount) === usd_cents && (item.itemId === null || item.itemId === transfer_id));
  const isSame = isSameBatch && isSameItem;
  if (!isSame) ctx.log.error({ transfer: transfer_id }, "PayPal names another sum or payout than ours");
  return isSame;
}

type Told = Pick<rows.TransferRow, "transfer_id" | "usd_cents" | "payout_batch_id">;
