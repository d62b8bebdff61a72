import { randomUUID } from "node:crypto";
import type { Language } from "@alcove/i18n";
import { sendMemberEmail } from "../../accounts/index.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { translator } from "../../platform/i18n.ts";
import type { ReceiptJob } from "../events.ts";
import { paidUntil } from "../memberships.ts";
import { findOrder, type OrderKey } from "../orders.sql.ts";
import { decryptPaidAt } from "../present.ts";
import { type FindLocalTime, momentIn } from "./moment.ts";

/** Runs in the transaction that pays the order, so each order has one receipt. */
export async function queueReceipt(
  tx: Tx,
  ctx: AppContext,
  { member_no, order_id }: OrderKey,
): Promise<void> {
  await ctx.jobs.add(tx, "receipt_email", { emailId: randomUUID(), memberId: member_no, order: order_id });
}

export async function sendReceipt(
  ctx: AppContext,
  job: ReceiptJob,
  findLocalTime: FindLocalTime,
): Promise<void> {
  const { memberId, order: order_id } = job;
  const order = await findOrder(ctx.db, { member_no: memberId, order_id });
  const paidAt = order && (await decryptPaidAt(ctx, order));
  const until = await paidUntil(ctx, memberId);
  if (!order || !paidAt || !until || order.state === "refunded") return;
  const { timeZone } = await findLocalTime(ctx.db, memberId, paidAt);
  await sendMemberEmail(ctx, job, (t, language) => [
    t("receipt", {
      amount: `${order.currency} ${order.price.toLocaleString("en")}`,
      plan: planText(language, order),
      at: momentIn(timeZone, paidAt),
    }),
    t("receiptUntil", { at: momentIn(timeZone, until) }),
    t("receiptOrder", { id: order_id, text: ctx.config.statementText }),
  ]);
}

function planText(language: Language, { year, month }: { year: number; month: number }): string {
  const t = translator(language, "membership");
  const years = t("years", { count: year });
  const months = t("months", { count: month });
  if (month === 0) return years;
  return year === 0 ? months : t("yearsAndMonths", { years, months });
}
