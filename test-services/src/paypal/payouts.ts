import type { Ledger } from "./ledger.ts";
import type { Webhooks } from "./webhooks.ts";
import { type PayPalResponse, fieldAt, isObject, type Money, newId, payPalErrorV1 } from "./wire.ts";

export type ItemState = "SUCCESS" | "FAILED" | "UNCLAIMED" | "RETURNED" | "BLOCKED" | "ONHOLD";

export interface Batch {
  readonly payoutBatchId: string;
  readonly senderBatchId: string;
  readonly itemId: string;
  readonly senderItemId: string;
  readonly receiver: string;
  readonly money: Money;
  readonly note: string | undefined;
  state: ItemState | "PENDING";
}

const EVENTS: Record<ItemState, string> = {
  SUCCESS: "SUCCEEDED",
  FAILED: "FAILED",
  UNCLAIMED: "UNCLAIMED",
  RETURNED: "RETURNED",
  BLOCKED: "BLOCKED",
  ONHOLD: "HELD",
};
/** The money has left our account in these states. */
const IS_OUT = new Set<string>(["SUCCESS", "UNCLAIMED", "ONHOLD"]);

export class Payouts {
  readonly all = new Map<string, Batch>();
  readonly #ledger: Ledger;
  readonly #webhooks: Webhooks;
  readonly #base: () => string;
  readonly outcomes = new Map<string, ItemState | "PENDING">();

  constructor(ledger: Ledger, webhooks: Webhooks, base: () => string) {
    this.#ledger = ledger;
    this.#webhooks = webhooks;
    this.#base = base;
  }

  create(body: unknown): PayPalResponse {
    const invalid = (field: string, issue: string) =>
      payPalErrorV1("VALIDATION_ERROR", "Invalid request - see details", [{ field, issue }]);
    const word = (path: string, most: number, like = /^[^\p{Cc}]+$/u): string => {
      const value = fieldAt(body, path);
      if (typeof value === "string" && value.length <= most && like.test(value)) return value;
      throw invalid(path, "Required field is missing or malformed");
    };
    const senderBatchId = word("sender_batch_header.sender_batch_id", 256);
    const items = fieldAt(body, "items");
    if (!Array.isArray(items) || items.length !== 1 || !isObject(items[0]))
      throw invalid("items", "One item is expected");
    if (word("items.0.recipient_type", 20) !== "EMAIL")
      throw invalid("items[0].recipient_type", "EMAIL only");
    const receiver = word("items.0.receiver", 127, /^[^\s@]+@[^\s@]+\.[^\s@]+$/);
    const value = word("items.0.amount.value", 32, /^\d+(\.\d{1,2})?$/);
    const currency_code = word("items.0.amount.currency", 3, /^USD$/);
    if (Number(value) <= 0) throw invalid("items[0].amount.value", "Amount must be greater than zero");
    const twin = [...this.all.values()].find((batch) => batch.senderBatchId === senderBatchId);
    if (twin)
      throw payPalErrorV1(
        "USER_BUSINESS_ERROR",
        "User business error.",
        [{ field: "SENDER_BATCH_ID", issue: "Batch with given sender_batch_id already exists" }],
        [this.#self(twin)],
      );

    const batch: Batch = {
      payoutBatchId: newId(13),
      senderBatchId,
      itemId: newId(13),
      senderItemId: word("items.0.sender_item_id", 63),
      receiver,
      money: { currency_code, value },
      note: fieldAt(body, "items.0.note") === undefined ? undefined : word("items.0.note", 1_000),
      state: "PENDING",
    };
    this.all.set(batch.payoutBatchId, batch);
    const response = { status: 201, body: this.#presentHeader(batch) };
    const outcome = this.outcomes.get(receiver) ?? "SUCCESS";
    if (outcome !== "PENDING") this.settle(batch.payoutBatchId, outcome);
    return response;
  }

  /** Settles an item by PayPal's batch id or ours, for example as unclaimed and returned. */
  settle(id: string, to: ItemState): void {
    const batch = [...this.all.values()].find((one) => one.senderBatchId === id) ?? this.#find(id);
    const wasOut = IS_OUT.has(batch.state);
    const isOut = IS_OUT.has(to);
    batch.state = to;
    const reference = batch.senderItemId;
    if (isOut && !wasOut) this.#ledger.record("paid out", batch.itemId, reference, batch.money);
    if (wasOut && !isOut) this.#ledger.record("came back", batch.itemId, reference, batch.money);
    this.#webhooks.say(`PAYMENT.PAYOUTS-ITEM.${EVENTS[to]}`, "payouts_item", this.#presentItem(batch));
  }

  show(payoutBatchId: string): PayPalResponse {
    const batch = this.#find(payoutBatchId);
    return {
      status: 200,
      body: { ...this.#presentHeader(batch), items: [this.#presentItem(batch)] },
    };
  }

  showItem(itemId: string): PayPalResponse {
    const batch = [...this.all.values()].find((one) => one.itemId === itemId);
    if (!batch) throw payPalErrorV1("INVALID_RESOURCE_ID", "Requested resource ID was not found.", []);
    return { status: 200, body: this.#presentItem(batch) };
  }

  #find(payoutBatchId: string): Batch {
    const batch = this.all.get(payoutBatchId);
    if (!batch) throw payPalErrorV1("INVALID_RESOURCE_ID", "Requested resource ID was not found.", []);
    return batch;
  }

  #presentHeader(batch: Batch) {
    return {
      batch_header: {
        payout_batch_id: batch.payoutBatchId,
        batch_status: batch.state === "PENDING" ? "PENDING" : "SUCCESS",
        sender_batch_header: { sender_batch_id: batch.senderBatchId },
        amount: { currency: batch.money.currency_code, value: batch.money.value },
      },
      links: [this.#self(batch)],
    };
  }

  #presentItem(batch: Batch) {
    const { state } = batch;
    return {
      payout_item_id: batch.itemId,
      transaction_status: state,
      payout_batch_id: batch.payoutBatchId,
      sender_batch_id: batch.senderBatchId,
      payout_item: {
        recipient_type: "EMAIL",
        amount: { currency: batch.money.currency_code, value: batch.money.value },
        note: batch.note,
        receiver: batch.receiver,
        sender_item_id: batch.senderItemId,
      },
      ...(state === "SUCCESS" || state === "PENDING"
        ? {}
        : { errors: { name: PROBLEMS[state], message: "See the name.", information_link: "" } }),
    };
  }

  #self({ payoutBatchId }: Batch) {
    return { href: `${this.#base()}/v1/payments/payouts/${payoutBatchId}`, rel: "self", method: "GET" };
  }
}

const PROBLEMS: Record<Exclude<ItemState, "SUCCESS">, string> = {
  FAILED: "RECEIVER_ACCOUNT_LOCKED",
  UNCLAIMED: "RECEIVER_UNREGISTERED",
  RETURNED: "RECEIVER_UNREGISTERED",
  BLOCKED: "RISK_DECLINE",
  ONHOLD: "PENDING_RECIPIENT_NON_HOLDING_CURRENCY_PAYMENT_PREFERENCE",
};
