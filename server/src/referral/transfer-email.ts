import { randomUUID } from "node:crypto";
import { sendMemberEmail } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import { moneyText } from "../platform/i18n.ts";
import type { Tx } from "../platform/db/database.ts";
import { toDollars } from "./balance.ts";
import type { TransferEmailJob } from "./events.ts";
import { findTransfer, type TransferKey } from "./transfers.sql.ts";

export async function queueTransferEmail(
  tx: Tx,
  ctx: AppContext,
  { member_no, transfer_id }: TransferKey,
): Promise<void> {
  await ctx.jobs.add(tx, "transfer_email", {
    emailId: randomUUID(),
    memberId: member_no,
    transfer: transfer_id,
  });
}

export async function sendTransferEmail(ctx: AppContext, job: TransferEmailJob): Promise<void> {
  const { memberId, transfer: transfer_id } = job;
  const transfer = await findTransfer(ctx.db, { member_no: memberId, transfer_id });
  if (!transfer) return;
  const dollars = toDollars(transfer.usd_cents);
  await sendMemberEmail(ctx, job, (t, language) => [
    t("transferred", { amount: moneyText(language, "USD", dollars, { hasCents: true }) }),
    t("transferredNext", { support: ctx.config.supportEmail }),
  ]);
}
