import type { Currency } from "@alcove/contract/prices";

export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/** Only a `COMPLETED` one is ours; a `PENDING` one may be completed or declined later. */
export interface Capture {
  readonly id: string;
  /** PayPal's states, open for new ones. */
  readonly status: string;
  readonly amount: Money;
  readonly custom_id?: string | undefined;
  readonly invoice_id?: string | undefined;
}

/** Also a chargeback. */
export interface Refund {
  readonly id: string;
  readonly status: string;
  readonly amount: Money;
}

export interface PayPalIdentity {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
}

type Text = string | null | undefined;

export interface PayPalOrder {
  readonly id: string;
  /** PayPal's states, open for new ones. */
  readonly status: string;
  readonly purchase_units: readonly {
    readonly custom_id?: string | undefined;
    readonly amount?: Money | undefined;
    readonly payments?: {
      readonly captures?: readonly Capture[] | undefined;
      readonly refunds?: readonly Refund[] | undefined;
    };
  }[];
  readonly payer?: Payer<"payer_id"> | null | undefined;
  readonly payment_source?: { readonly paypal?: Payer<"account_id"> | null | undefined } | null | undefined;
}

type Payer<Id extends string> = { readonly [id in Id]?: Text } & {
  readonly email_address?: Text;
  readonly address?: { readonly country_code?: Text } | null | undefined;
};

export interface PayPalRejection {
  readonly name: string;
  readonly details: readonly {
    readonly issue: string;
    readonly description?: string | undefined;
  }[];
  readonly debug_id?: string | undefined;
}

export type OrderResult =
  | { readonly kind: "order"; readonly order: PayPalOrder }
  | { readonly kind: "rejected"; readonly rejection: PayPalRejection };

export interface NewOrder {
  /** PayPal returns the same order for the same id. */
  readonly requestId: string;
  /** The `custom_id`, which PayPal captures only once. */
  readonly orderId: string;
  readonly currency: Currency;
  /** In whole units of the currency. */
  readonly amount: number;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

interface NewRefund {
  readonly captureId: string;
  readonly requestId: string;
  readonly currency: Currency;
  /** In the currency's smallest unit. */
  readonly units: number;
}

type RefundResult =
  | { readonly kind: "refund"; readonly refund: Refund }
  | { readonly kind: "rejected"; readonly rejection: PayPalRejection };

export interface NewPayout {
  /** PayPal accepts each id once, and then returns the first payout. */
  readonly batchId: string;
  readonly itemId: string;
  readonly email: string;
  readonly cents: number;
}

export interface Payout {
  readonly payoutBatchId: string;
  /** `PENDING`, `PROCESSING`, `SUCCESS` (processed, with any state of the item), `DENIED`, `CANCELED`. */
  readonly status: string;
  readonly item: PayoutItem | null;
}

export interface PayoutItem {
  readonly payoutItemId: string;
  readonly payoutBatchId: string | null;
  readonly itemId: string | null;
  /**
   * `PENDING`, `SUCCESS`, `UNCLAIMED`, `ONHOLD`, and `FAILED`, `RETURNED`, `BLOCKED`, `REFUNDED`, `REVERSED`: the money
   * is back.
   */
  readonly status: string;
  readonly amount: Money;
  readonly problem: string | null;
}

export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/**
 * `docs/payments.md` states the duties.
 *
 * @throws PaymentUnknownError, PaymentRejectedError
 */
interface PaymentProvider {
  createOrder(order: NewOrder): Promise<{ paypalOrderId: string; approveUrl: string }>;
  /** Use the same id again after `PaymentUnknownError`, and a new one only after a rejection. */
  captureOrder(capture: { paypalOrderId: string; requestId: string }): Promise<OrderResult>;
  showOrder(paypalOrderId: string): Promise<OrderResult>;
  /** The id as in `captureOrder`. */
  refundCapture(refund: NewRefund): Promise<RefundResult>;
  verifyWebhook(delivery: WebhookDelivery): Promise<boolean>;
}

interface Payouts {
  createPayout(payout: NewPayout): Promise<Payout>;
  showPayout(payoutBatchId: string): Promise<Payout>;
  showPayoutItem(payoutItemId: string): Promise<PayoutItem>;
}

export interface Payments extends PaymentProvider, Payouts {
  /** PayPal deletes orders sooner than their captures. */
  showCapture(captureId: string): Promise<Capture>;
}

export type PayoutReader = Pick<Payouts, "showPayout" | "showPayoutItem">;

/** Nothing was done. */
export class PaymentRejectedError extends Error {
  override name = "PaymentRejectedError";
  readonly rejection: PayPalRejection;

  constructor(rejection: PayPalRejection) {
    super(`PayPal: ${rejection.name} ${rejection.details.map(({ issue }) => issue).join(" ")}`.trimEnd());
    this.rejection = rejection;
  }
}

/** Repeat the request unchanged, or read the state. */
export class PaymentUnknownError extends Error {
  override name = "PaymentUnknownError";
}

/** `amount` is in whole units of the currency. */
export function toMoney(currency: Currency, amount: number): Money {
  if (!Number.isSafeInteger(amount)) throw new Error(`${amount} is not a payable amount`);
  return unitsToMoney(currency, amount * UNITS_PER_WHOLE[currency]);
}

/** PayPal allows no decimals for JPY and TWD. */
export const UNITS_PER_WHOLE: Record<Currency, number> = { USD: 100, JPY: 1, TWD: 1 };

export function unitsToMoney(currency: Currency, units: number): Money {
  if (!Number.isSafeInteger(units) || units <= 0) throw new Error(`${units} is not a payable amount`);
  const whole = units / UNITS_PER_WHOLE[currency];
  return { currency_code: currency, value: currency === "USD" ? whole.toFixed(2) : String(whole) };
}
