import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { lockMember } from "../members/locks.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { PayoutReader, Payout } from "../integrations/paypal/payments.ts";
import { isArchived } from "./transfer-archive.sql.ts";
import { isReturned, isTransferId, nextPollAt, toTransferState, toUsdCents } from "./payout.ts";
import { encryptSentAt, settleTransfer } from "./send-transfer.ts";
import { insertWithEntry } from "./transfers.ts";
import * as rows from "./transfers.sql.ts";

export interface FoundPayout {
  readonly transferId: string;
  readonly usdCents: number;
  readonly payoutBatchId: string | null;
  readonly payout: Payout | null;
}

export async function findPayout(
  past: PayoutReader,
  by: { batch: string } | { item: string },
): Promise<(FoundPayout & { payout: Payout }) | null> {
  const batch = "batch" in by ? by.batch : (await past.showPayoutItem(by.item)).payoutBatchId;
  const payout = batch === null ? null : await past.showPayout(batch);
  if (!payout?.item) return null;
  const { itemId, amount } = payout.item;
  const usdCents = toUsdCents(amount);
  if (itemId === null || !isTransferId(itemId) || usdCents === null || usdCents < TRANSFER_MIN_CENTS)
    return null;
  return { transferId: itemId, usdCents, payoutBatchId: payout.payoutBatchId, payout };
}

type ImportResult =
  | { readonly kind: "imported" | "already_imported"; readonly transfer: rows.TransferRow }
  /** Rejected: the ledger has it differently. */
  | { readonly kind: "other_member" | "other_amount" | "returned" | "archived" | "member_deleted" };

/**
 * Imports a payout once, even if the balance becomes negative, because the money was paid. A known transfer is settled.
 */
export async function importPayout(
  ctx: AppContext,
  memberId: number,
  found: FoundPayout,
): Promise<ImportResult> {
  const { transferId, payout } = found;
  const kind = await importInTransaction(ctx, memberId, found);
  if (kind !== "imported" && kind !== "already_imported") return { kind };
  const key = { member_no: memberId, transfer_id: transferId };
  if (payout) await settleTransfer(ctx, key, payout);
  const transfer = await rows.findTransfer(ctx.db, key);
  return transfer ? { kind, transfer } : { kind: "member_deleted" };
}

async function importInTransaction(
  ctx: AppContext,
  memberId: number,
  found: FoundPayout,
): Promise<ImportResult["kind"]> {
  const { transferId: transfer_id, usdCents: usd_cents, payoutBatchId: payout_batch_id, payout } = found;
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (tx) => {
    await rows.lockImport(tx, transfer_id);
    if (!(await lockMember(tx, memberId))) return "member_deleted";
    if (await isArchived(tx, { transfer_id, payout_batch_id })) return "archived";
    const known = await rows.findTransferById(tx, transfer_id);
    if (known) {
      if (known.member_no !== memberId) return "other_member";
      if (known.usd_cents !== usd_cents) return "other_amount";
      return payout && isReturned(known.state) && !isReturned(toTransferState(payout))
        ? "returned"
        : "already_imported";
    }
    await insertWithEntry(tx, {
      member_no: memberId,
      transfer_id,
      usd_cents,
      state: "accepted",
      encrypted_email: null,
      payout_batch_id,
      created_at: floorTo(now, DAY_MS),
      encrypted_created_at: await encryptSentAt(ctx, memberId, transfer_id, now),
      next_poll_at: nextPollAt("accepted", now, now),
    });
    return "imported";
  });
}
