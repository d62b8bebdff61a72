import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { getBalance } from "./balance.ts";
import { readFees } from "./ledger.sql.ts";
import { transferEmailContext } from "./send-transfer.ts";
import { presentTransfer } from "./transfers.ts";
import { readTransfers, type TransferRow } from "./transfers.sql.ts";

/** The fees of one month are one sum: single ones would show which invited member bought, and when. */
export async function exportBrokerage(
  tx: Tx,
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<ExportPart> {
  const entries = (await readFees(tx, memberId)).map(({ at, usd_cents }) => ({
    month: utcDay(at).slice(0, 7),
    usd_cents,
  }));
  const fees = [...Map.groupBy(entries, ({ month }) => month)].map(([month, ofMonth]) => ({
    month,
    usd_cents: ofMonth.reduce((sum, { usd_cents }) => sum + usd_cents, 0),
  }));
  const transfers = await Promise.all(
    (await readTransfers(tx, memberId)).map((row) => exportTransfer(ctx, row)),
  );
  const balance = await getBalance(tx, memberId, ctx.clock.now());
  return { values: { brokerage: { ...balance, fees, transfers } } };
}

async function exportTransfer(ctx: AppContext, row: TransferRow) {
  const { transfer_id, encrypted_email, payout_batch_id } = row;
  const email =
    encrypted_email && (await ctx.encryption.decrypt(encrypted_email, transferEmailContext(transfer_id)));
  return { ...(await presentTransfer(ctx, row)), email, paypal_batch_id: payout_batch_id };
}
