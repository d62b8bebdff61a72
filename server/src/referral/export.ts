import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { getBalance } from "./balance.ts";
import { readEntries } from "./ledger.sql.ts";
import { transferEmailContext } from "./send-transfer.ts";
import { presentTransfer } from "./transfers.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/** Leaves out the orders behind the fees: they are other members' data. */
export async function exportBrokerage(
  tx: Tx,
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<ExportPart> {
  const entries = (await readEntries(tx, memberId)).map(({ kind, usd_cents, at, available_at }) => ({
    kind,
    usd_cents,
    at,
    available_at,
  }));
  const transfers = await Promise.all(
    (await readTransfers(tx, memberId)).map((row) => exportTransfer(ctx, row)),
  );
  const balance = await getBalance(tx, memberId, ctx.clock.now());
  return { values: { brokerage: { ...balance, entries, transfers } } };
}

async function exportTransfer(ctx: AppContext, row: TransferRow) {
  const { transfer_id, encrypted_email, payout_batch_id } = row;
  const email =
    encrypted_email && (await ctx.encryption.decrypt(encrypted_email, transferEmailContext(transfer_id)));
  return { ...(await presentTransfer(ctx, row)), email, paypal_batch_id: payout_batch_id };
}
