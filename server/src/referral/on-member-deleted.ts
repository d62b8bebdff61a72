import { randomUUID } from "node:crypto";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import type { Payments } from "../integrations/paypal/payments.ts";
import * as books from "./closed-transfers.sql.ts";
import { maySendAgain, nextLook, stateOf } from "./payout.ts";
import { emailContext, isOf, tellPayPal } from "./send-transfer.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/**
 * Keeps what was transferred to a member who leaves in the closed books, under keys that lead to nobody. What was earned
 * and not transferred ends with the account; what PayPal has, it pays. Of what it may not have, it is told on, and the
 * address is kept for that alone.
 */
export async function closeTransfers(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const own = await readTransfers(tx, memberId);
  if (own.length === 0) return;
  await books.insertClosed(
    tx,
    own.map((transfer) => closedOf(ctx, transfer)),
  );
}

/**
 * A transfer as the books keep it. What is needed to tell PayPal again is there as long as PayPal would know it again;
 * after that its name alone is left, for the operator.
 */
function closedOf({ encryption, clock }: AppContext, transfer: TransferRow): books.ClosedTransferRow {
  const { transfer_id, usd_cents, state, encrypted_email, payout_batch_id, created_at } = transfer;
  const archive_id = randomUUID();
  const now = clock.now();
  const email =
    encrypted_email &&
    maySendAgain(created_at, now) &&
    encryption.decrypt(encrypted_email, emailContext(transfer_id));
  return {
    archive_id,
    usd_cents,
    state,
    payout_batch_id,
    sent_on: utcDay(created_at),
    transfer_id: state === "sending" ? transfer_id : null,
    encrypted_email: email ? encryption.encrypt(email, closedContext(archive_id)) : null,
    next_poll_at: email ? nextLook("sending", created_at, now) : null,
  };
}

const closedContext = (archiveId: string): string => `closed_transfers.encrypted_email:${archiveId}`;

/**
 * Tells PayPal of the transfers that members who left meanwhile had asked for, until it shows them. What it would not know
 * again is left to the operator; its address is forgotten then, as it is once PayPal has the transfer.
 */
export async function sendLeft(
  ctx: AppContext,
  payments: Payments,
  due: Date,
  most: number | null,
): Promise<{ looked: number; failed: number }> {
  const left = await books.readDueClosed(ctx.db, due, most);
  let failed = 0;
  for (const transfer of left) if (!(await sendOne(ctx, payments, transfer))) failed++;
  return { looked: left.length, failed };
}

async function sendOne(ctx: AppContext, payments: Payments, left: books.ClosedTransferRow): Promise<boolean> {
  const { archive_id, transfer_id: id, encrypted_email, sent_on, usd_cents, payout_batch_id } = left;
  if (!id || !encrypted_email) return false;
  const now = ctx.clock.now();
  const since = new Date(sent_on);
  if (!maySendAgain(since, now)) {
    ctx.log.error(
      { transfer: id },
      "PayPal never said whether it has a transfer of a member who has left: look for it there",
    );
    await books.updateLeft(ctx.db, archive_id, { encrypted_email: null, next_poll_at: null });
    return false;
  }
  const email = ctx.encryption.decrypt(encrypted_email, closedContext(archive_id));
  const said = await tellPayPal(ctx, payments, { id, cents: usd_cents, email });
  const isShown =
    typeof said === "object" && isOf(ctx, { transfer_id: id, usd_cents, payout_batch_id }, said);
  await books.updateLeft(
    ctx.db,
    archive_id,
    isShown
      ? {
          state: stateOf(said),
          payout_batch_id: said.payoutBatchId,
          transfer_id: null,
          encrypted_email: null,
          next_poll_at: null,
        }
      : { next_poll_at: nextLook("sending", since, now) ?? new Date(now.getTime() + DAY_MS) },
  );
  return isShown;
}
