import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { lockMember } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { PastPayouts, Payout } from "../integrations/paypal/payments.ts";
import { isClosed } from "./closed-transfers.sql.ts";
import { cameBack, isTransferId, nextLook, stateOf, usdCentsOf } from "./payout.ts";
import { settle } from "./send-transfer.ts";
import { takeOut } from "./transfers.ts";
import * as rows from "./transfers.sql.ts";

/** A payout that was made and that our books may lack. */
export interface FoundPayout {
  /** Ours, under which PayPal was told of it. */
  readonly transferId: string;
  readonly usdCents: number;
  readonly payoutBatchId: string | null;
  /** What PayPal says of it; null where it cannot be asked. */
  readonly payout: Payout | null;
}

/** Looks a payout up by PayPal's id of its batch or of its item; null where PayPal has none of ours under it, or has not looked at it yet. */
export async function findPayout(
  past: PastPayouts,
  by: { batch: string } | { item: string },
): Promise<(FoundPayout & { payout: Payout }) | null> {
  const batch = "batch" in by ? by.batch : (await past.showPayoutItem(by.item)).payoutBatchId;
  const payout = batch === null ? null : await past.showPayout(batch);
  if (!payout?.item) return null;
  const { itemId, amount } = payout.item;
  const usdCents = usdCentsOf(amount);
  if (itemId === null || !isTransferId(itemId) || usdCents === null || usdCents < TRANSFER_MIN_CENTS)
    return null;
  return { transferId: itemId, usdCents, payoutBatchId: payout.payoutBatchId, payout };
}

type Recorded =
  /** Written now, or there before. */
  | { readonly kind: "recorded" | "known"; readonly transfer: rows.TransferRow }
  /** Not written: our books have it otherwise. */
  | { readonly kind: "of_another" | "of_another_sum" | "given_back" | "closed" | "left" };

/**
 * Writes a payout that was made into the books of its member, once: it is taken from what is available, be that less
 * than nothing then, for it was paid. What the books have already is brought to what PayPal says of it.
 */
export async function recordPayout(ctx: AppContext, memberId: number, found: FoundPayout): Promise<Recorded> {
  const { transferId, payout } = found;
  const kind = await write(ctx, memberId, found);
  if (kind !== "recorded" && kind !== "known") return { kind };
  const key = { member_no: memberId, transfer_id: transferId };
  if (payout) await settle(ctx, key, payout);
  const transfer = await rows.findTransfer(ctx.db, key);
  return transfer ? { kind, transfer } : { kind: "left" };
}

async function write(ctx: AppContext, memberId: number, found: FoundPayout): Promise<Recorded["kind"]> {
  const { transferId: transfer_id, usdCents: usd_cents, payoutBatchId: payout_batch_id, payout } = found;
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (tx) => {
    await rows.lockRecording(tx, transfer_id);
    if (!(await lockMember(tx, memberId))) return "left";
    if (await isClosed(tx, { transfer_id, payout_batch_id })) return "closed";
    const known = await rows.findById(tx, transfer_id);
    if (known) {
      if (known.member_no !== memberId) return "of_another";
      if (known.usd_cents !== usd_cents) return "of_another_sum";
      return payout && cameBack(known.state) && !cameBack(stateOf(payout)) ? "given_back" : "known";
    }
    await takeOut(tx, {
      member_no: memberId,
      transfer_id,
      usd_cents,
      state: "accepted",
      encrypted_email: null,
      payout_batch_id,
      created_at: now,
      next_poll_at: nextLook("accepted", now, now),
    });
    return "recorded";
  });
}
