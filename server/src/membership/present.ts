import type {
  BankTransfer,
  Grant,
  Order,
  OrderState as ShownState,
  PaypalOrderData,
  Refund,
} from "@alcove/contract/membership";
import { RETENTION } from "@alcove/contract/retention";
import { toMoney, type PayPalOrder } from "../integrations/paypal/payments.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { decryptTime, encryptTime } from "../platform/security/exact-time.ts";
import { decryptConditions, withdrawUntil } from "./conditions.ts";
import { toWhole } from "./order-money.ts";
import { timeOfOrder } from "./order-id.ts";
import type { OrderKey, OrderRow, PayPalOrderRow } from "./orders.sql.ts";
import { isRevoked, type listGrants } from "./memberships.ts";
import { paymentOf } from "./payment.ts";
import type { OrderState } from "./tables.ts";

/** Members see uncertain payments as pending. */
const SHOWN: Record<OrderState, ShownState> = {
  created: "created",
  capturing: "pending",
  declined: "declined",
  pending: "pending",
  completed: "completed",
  partly_refunded: "partly_refunded",
  refunded: "refunded",
  unclear: "pending",
};

const paidAtContext = ({ order_id }: OrderKey): string => `orders.encrypted_paid_at:${order_id}`;

export async function encryptPaidAt({ encryption }: AppContext, order: OrderKey, at: Date): Promise<Buffer> {
  return encryptTime(encryption, order.member_no, at, paidAtContext(order));
}

export async function decryptPaidAt({ encryption }: AppContext, order: OrderRow): Promise<Date | null> {
  const { encrypted_paid_at } = order;
  return encrypted_paid_at && (await decryptTime(encryption, encrypted_paid_at, paidAtContext(order)));
}

const withdrawnAtContext = ({ order_id }: OrderKey): string => `orders.encrypted_withdrawn_at:${order_id}`;

export function encryptWithdrawnAt({ encryption }: AppContext, order: OrderKey, at: Date): Promise<Buffer> {
  return encryptTime(encryption, order.member_no, at, withdrawnAtContext(order));
}

export async function decryptWithdrawnAt({ encryption }: AppContext, order: OrderRow): Promise<Date | null> {
  const { encrypted_withdrawn_at: encrypted } = order;
  return encrypted && (await decryptTime(encryption, encrypted, withdrawnAtContext(order)));
}

export function presentRefund(
  order: Pick<OrderRow, "currency" | "withdrawal_amount" | "withdrawal_state">,
): Refund | null {
  const { currency, withdrawal_amount: units, withdrawal_state: state } = order;
  return units === null || state === null ? null : { amount: toWhole(currency, units), currency, state };
}

async function withdrawUntilOf(ctx: AppContext, order: OrderRow, paidAt: Date | null): Promise<Date | null> {
  const isOver = order.state === "refunded" && order.withdrawal_state === null;
  return paidAt && !isOver ? withdrawUntil(await decryptConditions(ctx, order), paidAt) : null;
}

export const BANK_ORDER_MS = RETENTION.bankOrderDays * DAY_MS;

export function transferOf(
  { config }: Pick<AppContext, "config">,
  { order_id, reference }: { order_id: string; reference: string },
): BankTransfer {
  const until = new Date(timeOfOrder({ order_id }).getTime() + BANK_ORDER_MS);
  return { reference, account: config.bankDetails ?? "", until: until.toISOString() };
}

export async function presentOrder(ctx: AppContext, order: OrderRow): Promise<Order> {
  const { order_id, number, kind, reference, year, month, price, currency, state } = order;
  const awaited = state === "created" ? reference : null;
  const paidAt = await decryptPaidAt(ctx, order);
  return {
    id: order_id,
    number,
    kind,
    year,
    month,
    price,
    currency,
    status: awaited === null ? SHOWN[state] : "pending",
    payment_successed_at: paidAt?.toISOString() ?? null,
    withdraw_until: (await withdrawUntilOf(ctx, order, paidAt))?.toISOString() ?? null,
    withdrawn_at: (await decryptWithdrawnAt(ctx, order))?.toISOString() ?? null,
    transfer: awaited === null ? null : transferOf(ctx, { order_id, reference: awaited }),
  };
}

type StoredGrant = Awaited<ReturnType<typeof listGrants>>[number];

/** Leaves out gifts that the operator took back. */
export function presentGrant(grant: StoredGrant): Grant[] {
  const { source, coupon_id, year, month, at } = grant;
  return source === "order" || isRevoked(grant)
    ? []
    : [{ source, coupon_id, year, month, at: at.toISOString() }];
}

export function presentPayPalOrder(seen: PayPalOrder): PaypalOrderData {
  const { id, status } = seen;
  const { capture } = paymentOf(seen);
  if (!capture) return { id, status };
  const { currency_code, value } = capture.amount;
  const shown = { id: capture.id, status: capture.status, amount: { currency_code, value } };
  return { id, status, purchase_units: [{ payments: { captures: [shown] } }] };
}

export function presentStored({
  paypal_order_id,
  capture_id,
  price,
  currency,
}: PayPalOrderRow): PaypalOrderData {
  const capture = { id: capture_id!, status: "COMPLETED", amount: toMoney(currency, price) };
  return {
    id: paypal_order_id,
    status: "COMPLETED",
    purchase_units: [{ payments: { captures: [capture] } }],
  };
}
