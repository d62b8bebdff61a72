import type { Order, Receipt, Refund } from "@alcove/contract/membership";
import type { Language } from "@alcove/i18n";
import type { Db } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { operatorDetails } from "../platform/operator-details.ts";
import { decryptConditions } from "./conditions.ts";
import { layOut, listGrants } from "./memberships.ts";
import { toSmallestUnit, toWhole } from "./order-money.ts";
import * as rows from "./orders.sql.ts";
import { decryptPaidAt, decryptWithdrawnAt, presentOrder, presentRefund } from "./present.ts";

export async function findOwnReceipt(
  ctx: AppContext,
  me: CurrentMember,
  orderId: string,
  language: Language,
): Promise<{ order: Order; receipt: Receipt; refund: Refund | null }> {
  const order = await rows.findOrder(ctx.db, { member_no: me.memberId, order_id: orderId.toLowerCase() });
  const receipt = order && (await receiptOf(ctx, order, ctx.db));
  if (!receipt) throw new ApiError("order_not_found");
  const seller = sellerIn(ctx, language);
  return {
    order: await presentOrder(ctx, order),
    receipt: { ...receipt, seller },
    refund: presentRefund(order),
  };
}

/** The seller depends on the reader's language, where data of the operator is missing. */
export function sellerIn({ config }: AppContext, language: Language): Receipt["seller"] {
  const { name, address, taxId } = operatorDetails(config, language);
  return { name, address, tax_number: taxId };
}

export type UnsignedReceipt = Omit<Receipt, "seller">;

export async function receiptOf(
  ctx: AppContext,
  order: rows.OrderRow,
  db: Db,
): Promise<UnsignedReceipt | null> {
  const paidAt = await decryptPaidAt(ctx, order);
  const { order_id, number, currency, price, year, month, withdrawal_amount } = order;
  if (!paidAt || number === null) return null;
  const { country, tax } = await decryptConditions(ctx, order);
  const sumOf = (units: number) => splitTax(units, tax, (part) => toWhole(currency, part));
  const period = layOut(await listGrants(ctx, order.member_no, db)).periods.get(order_id);
  const withdrawnAt = await decryptWithdrawnAt(ctx, order);
  return {
    number,
    currency,
    sum: sumOf(toSmallestUnit(currency, price)),
    tax_rate: tax,
    country,
    year,
    month,
    paid_at: paidAt.toISOString(),
    period: period ? { from: period.from.toISOString(), until: period.until.toISOString() } : null,
    credit_note:
      withdrawnAt && withdrawal_amount !== null
        ? { number: `${number}-C`, at: withdrawnAt.toISOString(), sum: sumOf(withdrawal_amount) }
        : null,
  };
}

/** Net and tax add up to the total. */
function splitTax(units: number, rate: number, inWhole: (part: number) => number): Receipt["sum"] {
  const net = Math.round(units / (1 + rate));
  return { net: inWhole(net), tax: inWhole(units - net), total: inWhole(units) };
}
