import { randomUUID } from "node:crypto";
import { DAY_MS, pollTimeAfter, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import type { Polled } from "../platform/jobs/full-batches.ts";
import { keyIdOf } from "../platform/keys/encryption.ts";
import type { Payments } from "../integrations/paypal/payments.ts";
import * as archive from "./transfer-archive.sql.ts";
import { canResend, nextPollAt, toTransferState } from "./payout.ts";
import { createPayout, decryptSentAt, matchesTransfer, transferEmailContext } from "./send-transfer.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/** The available balance ends with the account. Unconfirmed transfers are still sent. */
export async function archiveTransfers(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const own = await readTransfers(tx, memberId);
  if (own.length === 0) return;
  const archived: archive.ArchivedTransferRow[] = [];
  for (const transfer of own) archived.push(await toArchived(tx, ctx, transfer));
  await archive.insertArchived(tx, archived);
}

/** Keeps the address only while PayPal recognises a repeated transfer; then only the id remains for the operator. */
async function toArchived(
  tx: Tx,
  ctx: AppContext,
  transfer: TransferRow,
): Promise<archive.ArchivedTransferRow> {
  const { transfer_id, usd_cents, state, encrypted_email, payout_batch_id, created_at } = transfer;
  const archive_id = randomUUID();
  const now = ctx.clock.now();
  // After a restore the key of a deleted member is missing.
  const kept =
    encrypted_email &&
    (await ctx.encryption.decryptIfKept(encrypted_email, transferEmailContext(transfer_id)));
  const sentAt = kept === null ? null : await decryptSentAt(ctx, transfer);
  const email = sentAt && canResend(sentAt, now) ? kept : null;
  return {
    archive_id,
    usd_cents,
    state,
    payout_batch_id,
    sent_on: utcDay(created_at),
    transfer_id: state === "sending" ? transfer_id : null,
    encrypted_email: email ? await encryptArchived(tx, ctx, archive_id, email) : null,
    next_poll_at: email && sentAt ? nextPollAt("sending", sentAt, now) : null,
  };
}

/** Each address has its own key, which is destroyed with it. */
async function encryptArchived(tx: Tx, { encryption }: AppContext, archiveId: string, email: string) {
  const keyId = encryption.keys.create();
  await encryption.keys.store(tx, keyId);
  return encryption.encrypt(keyId, email, archivedEmailContext(archiveId));
}

const archivedEmailContext = (archiveId: string): string => `closed_transfers.encrypted_email:${archiveId}`;

export async function resendArchived(
  ctx: AppContext,
  payments: Payments,
  due: Date,
  limit: number | null,
): Promise<Polled> {
  const unsent = await archive.findDueArchived(ctx.db, due, limit);
  let failed = 0;
  for (const transfer of unsent) if (!(await resendOne(ctx, payments, transfer))) failed++;
  return { polled: unsent.length, failed };
}

async function resendOne(
  ctx: AppContext,
  payments: Payments,
  unsent: archive.ArchivedTransferRow,
): Promise<boolean> {
  const { archive_id, transfer_id: id, encrypted_email, sent_on, usd_cents, payout_batch_id } = unsent;
  if (!id || !encrypted_email) return false;
  const now = ctx.clock.now();
  const since = new Date(sent_on);
  if (!canResend(since, now)) {
    ctx.log.error({ transfer: id }, "transfer of a deleted member never confirmed by PayPal, check it there");
    await ctx.db.transaction().execute(async (tx) => {
      await archive.updateUnsent(tx, archive_id, { encrypted_email: null, next_poll_at: null });
      await ctx.encryption.keys.destroy(tx, [keyIdOf(encrypted_email)]);
    });
    return false;
  }
  const email = await ctx.encryption.decrypt(encrypted_email, archivedEmailContext(archive_id));
  const payout = await createPayout(ctx, payments, { id, cents: usd_cents, email });
  const isShown =
    typeof payout === "object" &&
    matchesTransfer(ctx, { transfer_id: id, usd_cents, payout_batch_id }, payout);
  if (!isShown) {
    const next_poll_at = nextPollAt("sending", since, now) ?? pollTimeAfter(now, DAY_MS);
    await archive.updateUnsent(ctx.db, archive_id, { next_poll_at });
    return false;
  }
  await ctx.db.transaction().execute(async (tx) => {
    await archive.updateUnsent(tx, archive_id, {
      state: toTransferState(payout),
      payout_batch_id: payout.payoutBatchId,
      transfer_id: null,
      encrypted_email: null,
      next_poll_at: null,
    });
    await ctx.encryption.keys.destroy(tx, [keyIdOf(encrypted_email)]);
  });
  return true;
}
