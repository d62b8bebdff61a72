import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { balanceOf } from "./balance.ts";
import { readEntries } from "./ledger.sql.ts";
import { emailContext } from "./send-transfer.ts";
import { presentTransfer } from "./transfers.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/** What a member earned by inviting and transferred. Who bought what is not told: it is theirs. */
export async function exportBrokerage(
  tx: Tx,
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<ExportPart> {
  const entries = (await readEntries(tx, memberId)).map(({ kind, usd_cents, at }) => ({
    kind,
    usd_cents,
    at,
  }));
  const transfers = (await readTransfers(tx, memberId)).map((row) => exportTransfer(ctx, row));
  return { values: { brokerage: { ...(await balanceOf(tx, memberId)), entries, transfers } } };
}

function exportTransfer({ encryption }: AppContext, row: TransferRow) {
  const { transfer_id, encrypted_email, payout_batch_id } = row;
  const email = encrypted_email && encryption.decrypt(encrypted_email, emailContext(transfer_id));
  return { ...presentTransfer(row), email, paypal_batch_id: payout_batch_id };
}
