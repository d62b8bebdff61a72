import { isRegion } from "@alcove/contract/countries";
import type { Capture, PayPalIdentity, PayPalOrder, Refund } from "../integrations/paypal/payments.ts";
import { parseMoney, toSmallestUnit } from "./order-money.ts";
import type { OrderState } from "./tables.ts";
import type { Currency } from "@alcove/contract/prices";

export interface Payment {
  readonly paypalOrderId: string | null;
  readonly capture: Capture | null;
  readonly refunds: readonly Refund[];
  readonly payer: PayPalIdentity;
  readonly payerCountry: string | null;
}

const TAKEN = ["COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED", "REVERSED"];
const BY_PRECEDENCE = [...TAKEN, "PENDING"];

export function paymentOf(seen: PayPalOrder): Payment {
  const payments = seen.purchase_units.flatMap((unit) =>
    unit.payments ? [{ ...unit.payments, custom_id: unit.custom_id }] : [],
  );
  const captures = payments.flatMap(({ captures: some = [], custom_id }) =>
    some.map((capture) => ({ ...capture, custom_id: capture.custom_id ?? custom_id })),
  );
  const capture = captures.find(({ status }) => BY_PRECEDENCE.includes(status)) ?? captures.at(-1) ?? null;
  return {
    paypalOrderId: seen.id,
    capture,
    refunds: payments.flatMap(({ refunds = [] }) => refunds),
    payer: payerOf(seen),
    payerCountry: countryOfPayer(seen),
  };
}

function countryOfPayer({ payer, payment_source }: PayPalOrder): string | null {
  const code = payer?.address?.country_code ?? payment_source?.paypal?.address?.country_code ?? "";
  return isRegion(code) ? code : null;
}

function payerOf({ payer, payment_source }: PayPalOrder): PayPalIdentity {
  const account = payment_source?.paypal;
  const distinct = (...texts: (string | null | undefined)[]) => [
    ...new Set(texts.flatMap((text) => (text ? [text] : []))),
  ];
  return {
    ids: distinct(payer?.payer_id, account?.account_id),
    emails: distinct(payer?.email_address, account?.email_address),
  };
}

interface OrderFacts {
  readonly currency: Currency;
  readonly price: number;
  readonly state: OrderState;
  readonly paypal_order_id: string | null;
  readonly capture_id: string | null;
  readonly refunds: Readonly<Record<string, number>>;
  readonly refunded: number;
}

export interface OrderUpdate {
  readonly state: OrderState;
  readonly captureId: string | null;
  readonly refunds: Record<string, number>;
  /** In the smallest unit; never decreases. */
  readonly refunded: number;
  readonly isAllGivenBack: boolean;
}

const PAID: readonly OrderState[] = ["completed", "partly_refunded", "refunded"];

export function isPaidState(state: OrderState): boolean {
  return PAID.includes(state);
}

/**
 * Idempotent. Ignores older data: a paid order stays paid, a refund stays refunded. Another amount, currency or order
 * makes the order `unclear`.
 */
export function applyPayment(order: OrderFacts, customId: string | null, payment: Payment): OrderUpdate {
  const { capture } = payment;
  const known = {
    state: order.state,
    captureId: order.capture_id,
    refunds: { ...order.refunds },
    refunded: order.refunded,
    isAllGivenBack: false,
  };
  if (!capture) return known;
  if (TAKEN.includes(capture.status) || isPaidState(order.state)) {
    if (!matchesOrder(order, customId, payment))
      return { ...known, state: isPaidState(order.state) ? order.state : "unclear" };
    const { refunds, givenBack } = addRefunds(order, payment);
    const refunded = Math.max(order.refunded, givenBack);
    const isAllGivenBack = givenBack === refunded;
    return { state: stateAfter(order, refunded), captureId: capture.id, refunds, refunded, isAllGivenBack };
  }
  if (order.state === "unclear") return known;
  if (capture.status === "PENDING") return { ...known, state: "pending", captureId: capture.id };
  return ["DECLINED", "FAILED"].includes(capture.status)
    ? { ...known, state: "declined", captureId: capture.id }
    : known;
}

function matchesOrder(
  order: OrderFacts,
  customId: string | null,
  { paypalOrderId, capture }: Payment,
): boolean {
  const isSame =
    parseMoney(order.currency, capture!.amount) === toSmallestUnit(order.currency, order.price) &&
    (paypalOrderId === null || paypalOrderId === order.paypal_order_id) &&
    (order.capture_id === null || !isPaidState(order.state) || capture!.id === order.capture_id);
  return isSame && (customId === null || capture!.custom_id === undefined || capture!.custom_id === customId);
}

function addRefunds(order: OrderFacts, { capture, refunds: seen }: Payment) {
  const whole = toSmallestUnit(order.currency, order.price);
  const refunds = { ...order.refunds };
  for (const { id, status, amount } of seen) {
    const sum = parseMoney(order.currency, amount);
    if (status === "COMPLETED" && sum !== null) refunds[id] = sum;
  }
  const isAllBack = ["REFUNDED", "REVERSED"].includes(capture!.status);
  return { refunds, givenBack: isAllBack ? whole : Math.min(sumOfRefunds({ refunds }), whole) };
}

/** In the smallest unit. */
export function sumOfRefunds({ refunds }: Pick<OrderFacts, "refunds">): number {
  return Object.values(refunds).reduce((total, one) => total + one, 0);
}

export function stateAfter(
  { currency, price }: Pick<OrderFacts, "currency" | "price">,
  refunded: number,
): OrderState {
  if (refunded === 0) return "completed";
  return refunded < toSmallestUnit(currency, price) ? "partly_refunded" : "refunded";
}
