import { randomUUID } from "node:crypto";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import type { Balance, Transfer, TransferState as ShownState } from "@alcove/contract/referral";
import { lockMember } from "../members/locks.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { getBalance, toDollars, presentBalance } from "./balance.ts";
import * as ledger from "./ledger.sql.ts";
import { recordAccount } from "./paypal-accounts.ts";
import { nextPollAt } from "./payout.ts";
import { decryptSentAt, encryptSentAt, sendTransfer, transferEmailContext } from "./send-transfer.ts";
import type { TransferState } from "./tables.ts";
import { queueTransferEmail } from "./transfer-email.ts";
import * as rows from "./transfers.sql.ts";

const SHOWN: Record<TransferState, ShownState> = {
  sending: "pending",
  accepted: "pending",
  paid: "completed",
  failed: "failed",
  returned: "returned",
};

/**
 * The member's lock makes parallel transfers one. PayPal gets the request after the commit; without a response the job
 * sends it again under the same id.
 */
export async function transferBalance(
  ctx: AppContext,
  me: CurrentMember,
  { email, price }: { email: string; price: number },
): Promise<Balance> {
  const { payments } = ctx;
  if (!payments)
    throw new ApiError("transfers_off", { details: await getBalance(ctx.db, me.memberId, ctx.clock.now()) });
  const created = await ctx.db.transaction().execute((tx) => createTransfer(tx, ctx, me, email, price));

  const state = await sendTransfer(ctx, payments, created, { isFirst: true });
  const balance = await getBalance(ctx.db, me.memberId, ctx.clock.now());
  if (state === "failed") throw new ApiError("transfer_refused", { details: balance });
  return balance;
}

async function createTransfer(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  email: string,
  price: number,
): Promise<rows.TransferRow> {
  if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
  const now = ctx.clock.now();
  const balances = await ledger.readBalances(tx, me.memberId, now);
  const cents = balances.available;
  if (!equalsCents(price, cents))
    throw new ApiError("transfer_differs", { details: presentBalance(balances) });
  if (cents < TRANSFER_MIN_CENTS)
    throw new ApiError("transfer_too_small", { details: presentBalance(balances) });

  const transfer_id = randomUUID();
  const row = await insertWithEntry(tx, {
    member_no: me.memberId,
    transfer_id,
    usd_cents: cents,
    state: "sending",
    encrypted_email: await ctx.encryption.encrypt(me.memberId, email, transferEmailContext(transfer_id)),
    payout_batch_id: null,
    created_at: floorTo(now, DAY_MS),
    encrypted_created_at: await encryptSentAt(ctx, me.memberId, transfer_id, now),
    next_poll_at: nextPollAt("sending", now, now),
  });
  await recordAccount(tx, ctx, me.memberId, { ids: [], emails: [email] });
  await queueTransferEmail(tx, ctx, row);
  return row;
}

/** The caller holds the member's lock. */
export async function insertWithEntry(
  tx: Tx,
  transfer: Omit<rows.TransferRow, "sequence_no">,
): Promise<rows.TransferRow> {
  const { member_no, transfer_id, usd_cents, created_at: at } = transfer;
  const stored = await rows.insertTransfer(tx, transfer);
  await ledger.insertEntry(tx, {
    member_no,
    entry_id: randomUUID(),
    kind: "transfer",
    usd_cents: -usd_cents,
    order_id: null,
    percentage: null,
    transfer_id,
    at,
    available_at: null,
  });
  return stored;
}

function equalsCents(price: number, cents: number): boolean {
  return Math.abs(price * 100 - cents) < 0.000_1;
}

export async function listOwnTransfers(
  ctx: AppContext,
  me: CurrentMember,
): Promise<{ transfers: Transfer[] }> {
  const own = await rows.readTransfers(ctx.db, me.memberId);
  return { transfers: await Promise.all(own.map((transfer) => presentTransfer(ctx, transfer))) };
}

export async function presentTransfer(ctx: AppContext, transfer: rows.TransferRow): Promise<Transfer> {
  const { transfer_id, usd_cents, state } = transfer;
  return {
    id: transfer_id,
    amount: toDollars(usd_cents),
    status: SHOWN[state],
    created_at: (await decryptSentAt(ctx, transfer)).toISOString(),
  };
}
