import { createHash } from "node:crypto";
import type { Ledger } from "./ledger.ts";
import type { Webhooks } from "./webhooks.ts";
import {
  type PayPalResponse,
  fieldAt,
  type Link,
  toMoney,
  type Money,
  newId,
  payPalError,
  textField,
  toPayPalId,
  toUnits,
} from "./wire.ts";

interface Capture {
  readonly id: string;
  status: "COMPLETED" | "PENDING" | "DECLINED" | "REFUNDED" | "PARTIALLY_REFUNDED";
  readonly amount: Money;
  readonly create_time: string;
}

interface Refund {
  readonly id: string;
  readonly captureId: string;
  readonly amount: Money;
}

export interface Order {
  readonly id: string;
  status: "CREATED" | "APPROVED" | "COMPLETED" | "VOIDED";
  readonly unit: {
    readonly reference_id: string;
    readonly custom_id?: string | undefined;
    readonly invoice_id?: string | undefined;
    readonly description?: string | undefined;
    readonly soft_descriptor?: string | undefined;
    readonly amount: Money;
  };
  readonly brandName: string | undefined;
  readonly returnUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  readonly create_time: string;
  isToBeDeclined: boolean;
  /** The address of the buyer's account. By default each order has a buyer of its own. */
  payer: string;
  /** Of the buyer's account, ISO 3166-1. Null names none. */
  payerCountry: string | null;
  captures: Capture[];
  refunds: Refund[];
}

export type CaptureOutcome = "taken" | "pending" | "declined";

const CURRENCIES = new Set(["USD", "JPY", "TWD"]);
const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");

/** Orders v2, with the captures and refunds of Payments v2. */
export class Orders {
  readonly all = new Map<string, Order>();
  /** The order of each capture, and the captures of each `invoice_id`. */
  readonly #ofCapture = new Map<string, Order>();
  readonly #ofInvoice = new Map<string, Capture[]>();
  readonly #ledger: Ledger;
  readonly #webhooks: Webhooks;
  readonly #base: () => string;

  constructor(ledger: Ledger, webhooks: Webhooks, base: () => string) {
    this.#ledger = ledger;
    this.#webhooks = webhooks;
    this.#base = base;
  }

  create(body: unknown): PayPalResponse {
    const intent = textField(body, "intent", { most: 20, isNeeded: true });
    if (intent !== "CAPTURE")
      throw payPalError(
        "INVALID_REQUEST",
        "INVALID_PARAMETER_VALUE",
        "Only CAPTURE is spoken here.",
        "/intent",
      );
    const units = fieldAt(body, "purchase_units");
    if (!Array.isArray(units) || units.length !== 1)
      throw payPalError("INVALID_REQUEST", "INVALID_ARRAY_MAX_ITEMS", "One unit.", "/purchase_units");
    const context = "application_context";
    textField(body, `${context}.shipping_preference`, {
      most: 24,
      like: /^(GET_FROM_FILE|NO_SHIPPING|SET_PROVIDED_ADDRESS)$/,
    });
    textField(body, `${context}.user_action`, { most: 10, like: /^(CONTINUE|PAY_NOW)$/ });
    const unit = "purchase_units.0";
    const id = newId();
    const order: Order = {
      id,
      status: "CREATED",
      unit: {
        reference_id: textField(body, `${unit}.reference_id`, { most: 256 }) ?? "default",
        custom_id: textField(body, `${unit}.custom_id`, { most: 127 }),
        invoice_id: textField(body, `${unit}.invoice_id`, { most: 127 }),
        description: textField(body, `${unit}.description`, { most: 127 }),
        soft_descriptor: textField(body, `${unit}.soft_descriptor`, { most: 22, like: /^[A-Za-z0-9 .*-]*$/ }),
        amount: amountOf(body, `${unit}.amount`),
      },
      brandName: textField(body, `${context}.brand_name`, { most: 127 }),
      returnUrl: address(body, `${context}.return_url`),
      cancelUrl: address(body, `${context}.cancel_url`),
      create_time: now(),
      isToBeDeclined: false,
      payer: `buyer-${id.toLowerCase()}@example.com`,
      payerCountry: null,
      captures: [],
      refunds: [],
    };
    this.all.set(order.id, order);
    return { status: 201, body: this.present(order) };
  }

  show(id: string): PayPalResponse {
    return { status: 200, body: this.present(this.find(id)) };
  }

  restore(order: Order): void {
    this.all.set(order.id, order);
    for (const capture of order.captures) this.#index(order, capture);
  }

  #index(order: Order, capture: Capture): void {
    const invoice = order.unit.invoice_id ?? order.id;
    this.#ofCapture.set(capture.id, order);
    this.#ofInvoice.set(invoice, [...(this.#ofInvoice.get(invoice) ?? []), capture]);
  }

  approve(id: string, isToBeDeclined = false, payer?: string, payerCountry?: string): Order {
    const order = this.find(id);
    if (order.status !== "CREATED" && order.status !== "APPROVED")
      throw payPalError("UNPROCESSABLE_ENTITY", "ORDER_CANNOT_BE_APPROVED", `The order is ${order.status}.`);
    order.isToBeDeclined = isToBeDeclined;
    if (payer !== undefined) order.payer = payer;
    if (payerCountry !== undefined) order.payerCountry = payerCountry;
    if (order.status === "CREATED") {
      order.status = "APPROVED";
      this.#webhooks.say("CHECKOUT.ORDER.APPROVED", "checkout-order", this.present(order));
    }
    return order;
  }

  capture(id: string, outcome: CaptureOutcome): PayPalResponse {
    const order = this.find(id);
    if (order.status === "COMPLETED")
      throw payPalError("UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED", "Order already captured.");
    if (order.status !== "APPROVED")
      throw payPalError(
        "UNPROCESSABLE_ENTITY",
        "ORDER_NOT_APPROVED",
        "Payer has not yet approved the Order for payment.",
      );
    const { invoice_id, amount } = order.unit;
    const before = this.#ofInvoice.get(invoice_id ?? order.id) ?? [];
    if (before.some(({ status }) => status !== "DECLINED"))
      throw payPalError("UNPROCESSABLE_ENTITY", "DUPLICATE_INVOICE_ID", "Duplicate Invoice ID detected.");
    if (outcome === "declined" || order.isToBeDeclined) {
      order.isToBeDeclined = false;
      throw payPalError(
        "UNPROCESSABLE_ENTITY",
        "INSTRUMENT_DECLINED",
        "The instrument presented was either declined by the processor or bank, or it can't be used for this payment.",
      );
    }
    order.status = "COMPLETED";
    const capture: Capture = { id: newId(), status: "PENDING", amount, create_time: now() };
    order.captures.push(capture);
    this.#index(order, capture);
    if (outcome === "taken") this.settle(capture.id, "COMPLETED");
    else this.#sayOfCapture("PENDING", order, capture);
    return { status: 201, body: this.present(order) };
  }

  settle(captureId: string, to: "COMPLETED" | "DECLINED"): void {
    const { order, capture } = this.#findCapture(captureId);
    if (capture.status !== "PENDING") throw new Error(`the capture is ${capture.status}`);
    capture.status = to;
    if (to === "COMPLETED")
      this.#ledger.record("taken", capture.id, order.unit.custom_id ?? order.id, capture.amount);
    this.#sayOfCapture(to === "COMPLETED" ? "COMPLETED" : "DENIED", order, capture);
  }

  showCapture(captureId: string): PayPalResponse {
    const { order, capture } = this.#findCapture(captureId);
    return { status: 200, body: this.#presentCapture(order, capture) };
  }

  refund(captureId: string, amount: Money | null, isChargeback = false): PayPalResponse {
    const { order, capture } = this.#findCapture(captureId);
    const back = order.refunds.filter((refund) => refund.captureId === captureId);
    const left = toUnits(capture.amount) - back.reduce((sum, refund) => sum + toUnits(refund.amount), 0);
    const isOpen = capture.status === "COMPLETED" || capture.status === "PARTIALLY_REFUNDED";
    if (!isOpen || left <= 0)
      throw payPalError(
        "UNPROCESSABLE_ENTITY",
        "CAPTURE_FULLY_REFUNDED",
        "The capture has already been refunded.",
      );
    const given = amount ?? toMoney(capture.amount.currency_code, left);
    if (given.currency_code !== capture.amount.currency_code)
      throw payPalError("UNPROCESSABLE_ENTITY", "CURRENCY_MISMATCH", "Not the currency of the capture.");
    if (toUnits(given) > left)
      throw payPalError("UNPROCESSABLE_ENTITY", "REFUND_AMOUNT_EXCEEDED", "More than what was captured.");
    const refund: Refund = { id: newId(), captureId, amount: given };
    order.refunds.push(refund);
    capture.status = toUnits(given) === left ? "REFUNDED" : "PARTIALLY_REFUNDED";
    this.#ledger.record("given back", refund.id, order.unit.custom_id ?? order.id, given);
    const presented = this.#presentRefund(order, refund);
    this.#webhooks.say(`PAYMENT.CAPTURE.${isChargeback ? "REVERSED" : "REFUNDED"}`, "refund", presented);
    return { status: 201, body: presented };
  }

  find(id: string): Order {
    const order = this.all.get(id);
    if (order) return order;
    throw payPalError(
      "RESOURCE_NOT_FOUND",
      "INVALID_RESOURCE_ID",
      "Specified resource ID does not exist. Please check the resource ID and try again.",
    );
  }

  delete(id: string): void {
    this.all.delete(id);
  }

  present(order: Order) {
    const { captures, refunds, unit } = order;
    const payments = {
      captures: captures.map((capture) => this.#presentCapture(order, capture)),
      ...(refunds.length > 0 ? { refunds: refunds.map((refund) => this.#presentRefund(order, refund)) } : {}),
    };
    return {
      id: order.id,
      intent: "CAPTURE",
      status: order.status,
      purchase_units: [{ ...unit, ...(captures.length > 0 ? { payments } : {}) }],
      ...(order.status === "CREATED" ? {} : presentPayer(order)),
      create_time: order.create_time,
      links: [
        this.#link("self", `/v2/checkout/orders/${order.id}`),
        ...(order.status === "CREATED" ? [this.#link("approve", `/checkoutnow?token=${order.id}`)] : []),
        ...(order.status === "APPROVED"
          ? [this.#link("capture", `/v2/checkout/orders/${order.id}/capture`, "POST")]
          : []),
      ],
    };
  }

  #sayOfCapture(what: "COMPLETED" | "PENDING" | "DENIED", order: Order, capture: Capture): void {
    this.#webhooks.say(`PAYMENT.CAPTURE.${what}`, "capture", this.#presentCapture(order, capture));
  }

  #presentCapture(order: Order, { id, status, amount, create_time }: Capture) {
    const { custom_id, invoice_id } = order.unit;
    return {
      id,
      status,
      ...(status === "PENDING" ? { status_details: { reason: "PENDING_REVIEW" } } : {}),
      amount,
      final_capture: true,
      custom_id,
      invoice_id,
      create_time,
      supplementary_data: { related_ids: { order_id: order.id } },
      links: [
        this.#link("self", `/v2/payments/captures/${id}`),
        this.#link("refund", `/v2/payments/captures/${id}/refund`, "POST"),
        this.#link("up", `/v2/checkout/orders/${order.id}`),
      ],
    };
  }

  #presentRefund(order: Order, { id, captureId, amount }: Refund) {
    const { custom_id, invoice_id } = order.unit;
    return {
      id,
      status: "COMPLETED",
      amount,
      custom_id,
      invoice_id,
      links: [
        this.#link("self", `/v2/payments/refunds/${id}`),
        this.#link("up", `/v2/payments/captures/${captureId}`),
      ],
    };
  }

  #findCapture(captureId: string): { order: Order; capture: Capture } {
    const order = this.#ofCapture.get(captureId);
    const capture = order?.captures.find(({ id }) => id === captureId);
    if (order && capture) return { order, capture };
    throw payPalError("RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID", "Specified resource ID does not exist.");
  }

  #link(rel: string, path: string, method = "GET"): Link {
    return { href: `${this.#base()}${path}`, rel, method };
  }
}

/** PayPal's id of the buyer's account: the same for each spelling of its address. */
export function payerIdOf({ payer }: Order): string {
  return toPayPalId(createHash("sha256").update(payer.toLowerCase()).digest(), 13);
}

function presentPayer(order: Order) {
  const payer_id = payerIdOf(order);
  const email_address = order.payer;
  const address = order.payerCountry ? { address: { country_code: order.payerCountry } } : {};
  const paypal = { email_address, account_id: payer_id, account_status: "VERIFIED", ...address };
  return { payment_source: { paypal }, payer: { email_address, payer_id, ...address } };
}

export function amountOf(body: unknown, path: string): Money {
  const currency_code = textField(body, `${path}.currency_code`, {
    most: 3,
    like: /^[A-Z]{3}$/,
    isNeeded: true,
  })!;
  const value = textField(body, `${path}.value`, { most: 32, like: /^-?\d+(\.\d+)?$/, isNeeded: true })!;
  const field = `/${path.replaceAll(".", "/")}/value`;
  if (!CURRENCIES.has(currency_code))
    throw payPalError("UNPROCESSABLE_ENTITY", "CURRENCY_NOT_SUPPORTED", "Not a currency of here.", field);
  if (Number(value) <= 0)
    throw payPalError(
      "UNPROCESSABLE_ENTITY",
      "CANNOT_BE_ZERO_OR_NEGATIVE",
      "Must be greater than zero.",
      field,
    );
  const [, decimals = ""] = value.split(".");
  if (currency_code !== "USD" && decimals !== "")
    throw payPalError("UNPROCESSABLE_ENTITY", "DECIMALS_NOT_SUPPORTED", "Currency without decimals.", field);
  if (decimals.length > 2)
    throw payPalError("UNPROCESSABLE_ENTITY", "DECIMAL_PRECISION", "No more than two decimals.", field);
  return { currency_code, value };
}

function address(body: unknown, path: string): string | undefined {
  const value = textField(body, path, { most: 4_000 });
  if (value === undefined || (URL.canParse(value) && /^https?:/.test(value))) return value;
  throw payPalError("INVALID_REQUEST", "INVALID_PARAMETER_SYNTAX", "Not an address.", `/${path}`);
}
