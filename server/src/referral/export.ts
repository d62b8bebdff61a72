import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { balanceOf } from "./balance.ts";
import { readEntries } from "./ledger.sql.ts";
import { emailContext } from "./send-transfer.ts";
import { presentTransfer } from "./transfers.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/** What a member earned by inviting and transferred. Who bought what is not told: it is theirs. */
export async function exportBrokerage(tx: Tx, deps: Deps, { no }: Me): Promise<ExportPart> {
  const entries = (await readEntries(tx, no)).map(({ kind, usd_cents, at }) => ({ kind, usd_cents, at }));
  const transfers = (await readTransfers(tx, no)).map((row) => exportTransfer(deps, row));
  return { values: { brokerage: { ...(await balanceOf(tx, no)), entries, transfers } } };
}

function exportTransfer({ sealing }: Deps, row: TransferRow) {
  const { transfer_id, sealed_email, payout_batch_id } = row;
  const email = sealed_email && sealing.open(sealed_email, emailContext(transfer_id));
  return { ...presentTransfer(row), email, paypal_batch_id: payout_batch_id };
}
