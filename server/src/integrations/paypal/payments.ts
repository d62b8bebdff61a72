import type { Currency } from "@alcove/contract/prices";

/** A sum as PayPal writes it: `{ currency_code: "USD", value: "10.00" }`. */
export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/** Money that was taken for an order. Only `COMPLETED` is ours; `PENDING` may become so later, or be declined. */
export interface Capture {
  readonly id: string;
  /** `COMPLETED`, `PENDING`, `DECLINED`, `FAILED`, `REFUNDED`, `PARTIALLY_REFUNDED`; others may come. */
  readonly status: string;
  readonly amount: Money;
  /** Our own id of the order. */
  readonly custom_id?: string | undefined;
  readonly invoice_id?: string | undefined;
}

/** Money that was given back, by a refund or by a chargeback. */
export interface Refund {
  readonly id: string;
  readonly status: string;
  readonly amount: Money;
}

/** An order as it stands at PayPal. */
export interface PayPalOrder {
  readonly id: string;
  /** `CREATED`, `PAYER_ACTION_REQUIRED`, `APPROVED`, `COMPLETED`, `VOIDED`; others may come. */
  readonly status: string;
  readonly purchase_units: readonly {
    /** Our own id of the order. */
    readonly custom_id?: string | undefined;
    readonly amount?: Money | undefined;
    readonly payments?: {
      readonly captures?: readonly Capture[] | undefined;
      readonly refunds?: readonly Refund[] | undefined;
    };
  }[];
}

/** What PayPal says where it did not do something. */
export interface PayPalRejection {
  readonly name: string;
  readonly details: readonly {
    /** Such as `INSTRUMENT_DECLINED` or `ORDER_NOT_APPROVED`. */
    readonly issue: string;
    readonly description?: string | undefined;
  }[];
  readonly debug_id?: string | undefined;
}

/** What became of asking for an order: how it stands, or that nothing was done. */
export type Outcome =
  | { readonly kind: "order"; readonly order: PayPalOrder }
  | { readonly kind: "refused"; readonly apiError: PayPalRejection };

export interface NewOrder {
  /** Asked again with the same one, PayPal answers the same order; also after a crash of ours. */
  readonly requestId: string;
  /** Our own id. It comes back as `custom_id` of orders, captures and refunds, and PayPal takes money for it only once. */
  readonly orderId: string;
  readonly currency: Currency;
  /** In whole units of the currency, as in our table of prices. */
  readonly amount: number;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface NewPayout {
  /** PayPal accepts each once; sent again, the first one is answered. A UUID will do. */
  readonly batchId: string;
  /** Our own id of its only item, at most 63 characters: comes back as `itemId`. */
  readonly itemId: string;
  /** Whose PayPal account it goes to. */
  readonly email: string;
  /** Of USD. */
  readonly cents: number;
}

/** A payout and its only item as they stand at PayPal. */
export interface Payout {
  /** PayPal's own id, by which it is asked for. */
  readonly payoutBatchId: string;
  /** `PENDING`, `PROCESSING`, `SUCCESS` (gone through, whatever became of the item), `DENIED`, `CANCELED`. */
  readonly status: string;
  /** Null as long as PayPal has not looked at it. */
  readonly item: PayoutItem | null;
}

export interface PayoutItem {
  readonly payoutItemId: string;
  /** Of the batch that it belongs to; null where PayPal does not say. */
  readonly payoutBatchId: string | null;
  /** Ours. */
  readonly itemId: string | null;
  /** `PENDING`, `SUCCESS`, `UNCLAIMED`, `ONHOLD`, and `FAILED`, `RETURNED`, `BLOCKED`, `REFUNDED`, `REVERSED`: it came back. */
  readonly status: string;
  readonly amount: Money;
  /** Such as `RECEIVER_UNREGISTERED`, where it did not arrive. */
  readonly problem: string | null;
}

/** A webhook as it came: the body letter by letter, for that is what was signed. */
export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/**
 * Where money is taken and paid out. Every method throws `PaymentUnknown` when it cannot be told what was done, and
 * `PaymentRefused` when PayPal said that nothing was, but for those that answer an `Outcome`.
 */
export interface Payments {
  /** Makes an order that its buyer approves at `approveUrl`. */
  createOrder(order: NewOrder): Promise<{ paypalOrderId: string; approveUrl: string }>;
  /**
   * Takes the money of an approved order, once for each `requestId`: ask again with the same one after `PaymentUnknown`,
   * with a fresh one after a refusal only. Of an order that was captured already it answers how it stands.
   */
  captureOrder(capture: { paypalOrderId: string; requestId: string }): Promise<Outcome>;
  /** How an order stands, with what was captured and refunded; refused with `RESOURCE_NOT_FOUND` where there is none any more. */
  showOrder(paypalOrderId: string): Promise<Outcome>;
  showCapture(captureId: string): Promise<Capture>;
  /** Sends money; of a batch that was sent before it answers how that one stands. */
  createPayout(payout: NewPayout): Promise<Payout>;
  showPayout(payoutBatchId: string): Promise<Payout>;
  showPayoutItem(payoutItemId: string): Promise<PayoutItem>;
  /** Whether PayPal itself sent this, by asking it. False for whatever was made up or changed on the way. */
  verifyWebhook(delivery: WebhookDelivery): Promise<boolean>;
}

/** What has been paid out, to be looked at alone. */
export type PayoutReader = Pick<Payments, "showPayout" | "showPayoutItem">;

/** PayPal said no: nothing was done. */
export class PaymentRejectedError extends Error {
  override name = "PaymentRefused";
  readonly apiError: PayPalRejection;

  constructor(apiError: PayPalRejection) {
    super(`PayPal: ${apiError.name} ${apiError.details.map(({ issue }) => issue).join(" ")}`.trimEnd());
    this.apiError = apiError;
  }
}

/** No answer, or one that says nothing: it may have been done. Ask again in the same words, or ask how it stands. */
export class PaymentUnknownError extends Error {
  override name = "PaymentUnknown";
}

/** A sum in whole units as PayPal writes it: yen and Taiwan dollars have no decimals. */
export function toMoney(currency: Currency, amount: number): Money {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error(`${amount} is no sum to be paid`);
  return { currency_code: currency, value: currency === "USD" ? amount.toFixed(2) : String(amount) };
}

/** Whether two sums are the same, however their decimals are written. */
export function isSameMoney(a: Money, b: Money): boolean {
  return a.currency_code === b.currency_code && Number(a.value) === Number(b.value);
}
