import { randomUUID } from "node:crypto";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import type { Balance, Transfer, TransferState as ShownState } from "@alcove/contract/referral";
import { lockMember } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { balanceOf, dollars, presentBalance } from "./balance.ts";
import * as ledger from "./ledger.sql.ts";
import { nextLook } from "./payout.ts";
import { emailContext, send } from "./send-transfer.ts";
import type { TransferState } from "./tables.ts";
import * as rows from "./transfers.sql.ts";

const SHOWN: Record<TransferState, ShownState> = {
  sending: "pending",
  accepted: "pending",
  paid: "completed",
  failed: "failed",
  returned: "returned",
};

/**
 * Sends all that is available to a PayPal account. The member's row is locked while it is taken out of the ledger, so
 * that of many at once one finds it; PayPal is told after the commit, under an id that stays the same. Where PayPal
 * gives no answer, the transfer stands, and the reconciling job tells it again.
 */
export async function transfer(
  ctx: AppContext,
  me: CurrentMember,
  { email, price }: { email: string; price: number },
): Promise<Balance> {
  const { payments } = ctx;
  if (!payments) throw new ApiError("transfers_off", { beside: await balanceOf(ctx.db, me.memberId) });
  const begun = await ctx.db.transaction().execute((tx) => begin(tx, ctx, me, email, price));

  const state = await send(ctx, payments, begun, { isFirst: true });
  const balance = await balanceOf(ctx.db, me.memberId);
  if (state === "failed") throw new ApiError("transfer_refused", { beside: balance });
  return balance;
}

async function begin(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  email: string,
  price: number,
): Promise<rows.TransferRow> {
  if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required"); // deleted since the request came
  const sums = await ledger.readSums(tx, me.memberId);
  const cents = sums.available;
  if (!isPriceOf(price, cents)) throw new ApiError("transfer_differs", { beside: presentBalance(sums) });
  if (cents < TRANSFER_MIN_CENTS) throw new ApiError("transfer_too_small", { beside: presentBalance(sums) });

  const now = ctx.clock.now();
  const transfer_id = randomUUID();
  const row: rows.TransferRow = {
    member_no: me.memberId,
    transfer_id,
    usd_cents: cents,
    state: "sending",
    encrypted_email: ctx.encryption.encrypt(email, emailContext(transfer_id)),
    payout_batch_id: null,
    created_at: now,
    next_poll_at: nextLook("sending", now, now),
  };
  await takeOut(tx, row);
  return row;
}

/** Writes a transfer down, and takes its amount out of what is available. The member's row is locked. */
export async function takeOut(tx: Tx, transfer: rows.TransferRow): Promise<void> {
  const { member_no, transfer_id, usd_cents, created_at: at } = transfer;
  await rows.insertTransfer(tx, transfer);
  await ledger.insertEntry(tx, {
    member_no,
    entry_id: randomUUID(),
    kind: "transfer",
    usd_cents: -usd_cents,
    order_id: null,
    percentage: null,
    transfer_id,
    at,
  });
}

/** Whether a sum in USD is so many cents; 0.1 and 0.2 make 0.3 here. */
function isPriceOf(price: number, cents: number): boolean {
  return Math.abs(price * 100 - cents) < 0.000_1;
}

/** A member's transfers, the newest first. */
export async function transfers(ctx: AppContext, me: CurrentMember): Promise<{ transfers: Transfer[] }> {
  return { transfers: (await rows.readTransfers(ctx.db, me.memberId)).map(presentTransfer) };
}

export function presentTransfer({ transfer_id, usd_cents, state, created_at }: rows.TransferRow): Transfer {
  return {
    id: transfer_id,
    amount: dollars(usd_cents),
    status: SHOWN[state],
    created_at: created_at.toISOString(),
  };
}
