import { randomUUID } from "node:crypto";
import type { Receipt } from "@alcove/contract/membership";
import type { Language } from "@alcove/i18n";
import { fixMemberEmail, sendMemberEmail } from "../../accounts/index.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { moneyText, translator } from "../../platform/i18n.ts";
import type { ReceiptJob } from "../events.ts";
import { paidUntil } from "../memberships.ts";
import { findOrder, type OrderKey, type OrderRow } from "../orders.sql.ts";
import { presentOrder } from "../present.ts";
import { receiptOf, sellerIn, type UnsignedReceipt } from "../receipts.ts";
import { type FindLocalTime, momentIn } from "./moment.ts";

type Translate = ReturnType<typeof translator<"emails">>;

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
  const receipt = order && (await receiptOf(ctx, order, ctx.db));
  const until = await paidUntil(ctx, memberId);
  if (!order || !receipt || !until || order.state === "refunded") return;
  const { withdraw_until } = await presentOrder(ctx, order);
  const { timeZone } = await findLocalTime(ctx.db, memberId, new Date(receipt.paid_at));
  const moment = (at: Date | string): string => momentIn(timeZone, new Date(at));
  await sendMemberEmail(ctx, job, (t, language) => [
    t("receipt", {
      amount: moneyText(language, order.currency, order.price),
      plan: planText(language, order),
      at: moment(receipt.paid_at),
    }),
    ...(receipt.period
      ? [t("receiptPeriod", { from: moment(receipt.period.from), until: moment(receipt.period.until) })]
      : []),
    t("receiptUntil", { at: moment(until) }),
    t("receiptNumber", { number: receipt.number, ...sumTexts(language, receipt, receipt.sum) }),
    ...(receipt.country ? [t("receiptCountry", { country: countryText(language, receipt.country) })] : []),
    sellerText(t, sellerIn(ctx, language)),
    ...(withdraw_until
      ? [
          t("receiptWithdraw", {
            at: moment(withdraw_until),
            name: translator(language, "settings")("purchaseHistory"),
          }),
        ]
      : []),
    order.reference === null
      ? t("receiptOrder", { id: order_id, text: ctx.config.statementText })
      : t("receiptTransfer", { id: order_id, reference: order.reference }),
  ]);
}

export async function queueWithdrawalEmail(
  tx: Tx,
  ctx: AppContext,
  order: OrderRow,
  timeZone: string | null,
): Promise<void> {
  const receipt = await receiptOf(ctx, order, tx);
  const note = receipt?.credit_note;
  if (!receipt || !note) return;
  const job = await fixMemberEmail(ctx, order.member_no, (t, language) => [
    t("withdrawn", { number: receipt.number, at: momentIn(timeZone, new Date(note.at)) }),
    t("withdrawnRefund", { amount: sumTexts(language, receipt, note.sum).total }),
    t("creditNote", {
      number: note.number,
      receipt: receipt.number,
      ...sumTexts(language, receipt, note.sum),
    }),
    sellerText(t, sellerIn(ctx, language)),
  ]);
  if (job) await ctx.jobs.add(tx, "fixed_email", job);
}

function sellerText(t: Translate, { name, address, tax_number: taxNumber }: Receipt["seller"]): string {
  const seller = `${name}, ${address}`;
  return taxNumber === null ? t("receiptSeller", { seller }) : t("receiptTaxNumber", { seller, taxNumber });
}

function sumTexts(
  language: Language,
  { currency, tax_rate }: UnsignedReceipt,
  { net, tax, total }: Receipt["sum"],
) {
  const text = (amount: number): string => moneyText(language, currency, amount, { hasCents: true });
  return {
    net: text(net),
    tax: text(tax),
    total: text(total),
    rate: String(Number((tax_rate * 100).toFixed(2))),
  };
}

function countryText(language: Language, region: string): string {
  const [country = "", state] = region.split("-");
  const name = new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country;
  return state === undefined ? name : `${name} (${region})`;
}

function planText(language: Language, { year, month }: { year: number; month: number }): string {
  const t = translator(language, "membership");
  const years = t("years", { count: year });
  const months = t("months", { count: month });
  if (month === 0) return years;
  return year === 0 ? months : t("yearsAndMonths", { years, months });
}
