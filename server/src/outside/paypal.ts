import * as z from "zod/mini";
import { SECOND_MS } from "../platform/clock.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import {
  moneyOf,
  PaymentRefused,
  PaymentUnknown,
  type NewOrder,
  type NewPayout,
  type Outcome,
  type Payments,
  type PayPalRefusal,
  type Payout,
  type PayoutItem,
  type WebhookDelivery,
} from "../platform/payments.ts";
import type { PayPalAccount } from "../settings.ts";
import { readJson } from "./json-answer.ts";

/** PayPal asks a buyer's bank while a capture waits; what takes longer is unknown, and asked again. */
const PATIENCE_MS = 30 * SECOND_MS;
/** A token is renewed this long before PayPal forgets it. */
const TOKEN_MARGIN_MS = 60 * SECOND_MS;
/** Everywhere else no real money moves. */
const LIVE_HOSTS = new Set(["api-m.paypal.com", "api.paypal.com"]);
/** Whatever is bought: PayPal shows it to buyers, in its own letters too. */
const DESCRIPTION = "Online services";
/** What PayPal calls a refusal of ours that is about who asks or how often: nothing is decided by it. */
const SAYS_NOTHING = new Set([401, 403, 408, 409, 425, 429]);

const Money = z.object({ currency_code: z.string(), value: z.string() });
const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Money,
  custom_id: z.optional(z.string()),
  invoice_id: z.optional(z.string()),
});
const Refund = z.object({ id: z.string(), status: z.string(), amount: Money });
const Link = z.object({ href: z.string(), rel: z.string() });
const Order = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z.array(
    z.object({
      custom_id: z.optional(z.string()),
      amount: z.optional(Money),
      payments: z.optional(
        z.object({ captures: z.optional(z.array(Capture)), refunds: z.optional(z.array(Refund)) }),
      ),
    }),
  ),
});
const Linked = z.object({ id: z.string(), links: z.array(Link) });
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.number() });
const Detail = z.object({ issue: z.string(), description: z.optional(z.string()) });
const Refusal = z.object({
  name: z.string(),
  details: z._default(z.array(Detail), []),
  debug_id: z.optional(z.string()),
});
const Item = z.object({
  payout_item_id: z.string(),
  payout_batch_id: z.optional(z.string()),
  transaction_status: z._default(z.string(), "PENDING"),
  payout_item: z.object({
    sender_item_id: z.optional(z.string()),
    amount: z.object({ currency: z.string(), value: z.string() }),
  }),
  errors: z.optional(z.object({ name: z.string() })),
});
const Batch = z.object({
  batch_header: z.object({ payout_batch_id: z.string(), batch_status: z.string() }),
  items: z.optional(z.array(Item)),
});
const Verified = z.object({ verification_status: z.string() });

interface Parts {
  readonly account: PayPalAccount;
  readonly statementText: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly patienceMs?: number;
}

interface Asking {
  readonly method?: "POST" | "GET";
  readonly body?: string;
  /** PayPal does what has the same one only once. */
  readonly requestId?: string;
}

interface Said {
  readonly status: number;
  readonly body: unknown;
}

/** PayPal's Orders v2, Payments v2, Payouts v1 and the check of webhooks, at whatever address the account names. */
export function openPayPal(parts: Parts): Payments {
  const { account, statementText, log } = parts;
  const ask = makeAsk(parts);

  /** Asks for what must be there, in the shape that is expected. */
  async function askFor<Schema extends z.ZodMiniType>(
    what: string,
    schema: Schema,
    path: string,
    asking: Asking = {},
  ): Promise<z.output<Schema>> {
    const said = await ask(what, path, asking);
    const refusal = refusalOf(said);
    if (refusal) throw new PaymentRefused(refusal);
    return understood(what, schema, said);
  }

  /** What was not understood may have been done: only what PayPal refuses clearly was not. */
  function understood<Schema extends z.ZodMiniType>(
    what: string,
    schema: Schema,
    said: Said,
  ): z.output<Schema> {
    const read = isWell(said) ? z.safeParse(schema, said.body) : null;
    if (read?.success) return read.data;
    log.warn({ status: said.status }, `PayPal's ${what} did not answer as it should`);
    throw new PaymentUnknown(`PayPal's ${what} answered ${said.status}`);
  }

  async function outcome(what: string, path: string, asking: Asking = {}): Promise<Outcome> {
    const said = await ask(what, path, asking);
    const refusal = refusalOf(said);
    if (refusal) return { kind: "refused", refusal };
    return { kind: "order", order: understood(what, Order, said) };
  }

  const showOrder = (paypalOrderId: string): Promise<Outcome> =>
    outcome("order", `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}`);

  async function showPayout(payoutBatchId: string): Promise<Payout> {
    return presentPayout(
      await askFor("payout", Batch, `/v1/payments/payouts/${encodeURIComponent(payoutBatchId)}`),
    );
  }

  return {
    isSandbox: !LIVE_HOSTS.has(new URL(account.apiUrl).hostname),
    showOrder,
    showPayout,

    async createOrder(order) {
      const asking = { requestId: order.requestId, body: JSON.stringify(orderBody(order, statementText)) };
      const { id, links } = await askFor("new order", Linked, "/v2/checkout/orders", asking);
      const link = links.find(({ rel }) => rel === "approve" || rel === "payer-action");
      if (!link || !URL.canParse(link.href)) throw new PaymentUnknown("PayPal's new order has no link");
      return { paypalOrderId: id, approveUrl: link.href };
    },

    async captureOrder({ paypalOrderId, requestId }) {
      const path = `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}/capture`;
      const captured = await outcome("capture", path, { requestId, body: "{}" });
      const isDone =
        captured.kind === "refused" &&
        captured.refusal.details.some(({ issue }) => issue === "ORDER_ALREADY_CAPTURED");
      return isDone ? showOrder(paypalOrderId) : captured;
    },

    showCapture: (captureId) =>
      askFor("capture", Capture, `/v2/payments/captures/${encodeURIComponent(captureId)}`),

    async createPayout(payout) {
      const asking = { requestId: payout.batchId, body: JSON.stringify(payoutBody(payout)) };
      const said = await ask("new payout", "/v1/payments/payouts", asking);
      const refusal = refusalOf(said);
      if (!refusal) return presentPayout(understood("new payout", Batch, said));

      const first = batchOfLinks(said.body);
      const isRepeated =
        refusal.name === "USER_BUSINESS_ERROR" && (first !== null || isAboutBatchId(said.body));
      if (!isRepeated) throw new PaymentRefused(refusal);
      if (first === null) throw new PaymentUnknown("PayPal has that payout already, and does not say where");
      try {
        return await showPayout(first);
      } catch (error) {
        // NOTE: it is there, so nobody may take this for a payout that was refused.
        if (error instanceof PaymentRefused) throw new PaymentUnknown(error.message);
        throw error;
      }
    },

    async showPayoutItem(payoutItemId) {
      const path = `/v1/payments/payouts-item/${encodeURIComponent(payoutItemId)}`;
      return presentItem(await askFor("payout item", Item, path));
    },

    async verifyWebhook(delivery) {
      const body = verificationBody(delivery, account.webhookId);
      if (body === null) return false;
      const path = "/v1/notifications/verify-webhook-signature";
      const said = await ask("check of a webhook", path, { body });
      if (refusalOf(said)) return false;
      return understood("check of a webhook", Verified, said).verification_status === "SUCCESS";
    },
  };
}

/** Makes what sends a request with a live token. It answers whatever came, and throws where nothing did. */
function makeAsk({ account, log, clock, patienceMs = PATIENCE_MS }: Parts) {
  const send = async (what: string, path: string, init: RequestInit): Promise<Said> => {
    try {
      return await readJson(new URL(account.apiUrl + path), init, patienceMs);
    } catch (error) {
      // Only how it failed: neither an address nor what was sent.
      const { name, cause } = error as Error & { cause?: { code?: string } };
      log.warn({ reason: cause?.code ?? name }, `PayPal's ${what} did not answer`);
      throw new PaymentUnknown(`PayPal's ${what} did not answer`);
    }
  };
  const tokens = makeTokens(clock, async () => {
    const credentials = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString("base64");
    const said = await send("token", "/v1/oauth2/token", {
      method: "POST",
      headers: {
        authorization: `Basic ${credentials}`,
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: "grant_type=client_credentials",
    });
    const read = isWell(said) ? z.safeParse(Token, said.body) : null;
    if (read?.success) return read.data;
    log.error({ status: said.status }, "PayPal gives no token: look at PAYPAL_CLIENT_ID and its secret");
    // Nothing of what was wanted has been sent; it may well go the next time.
    throw new PaymentUnknown(`PayPal's token answered ${said.status}`);
  });

  return async (what: string, path: string, { method, body, requestId }: Asking): Promise<Said> => {
    const sendWith = (token: string): Promise<Said> =>
      send(what, path, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", prefer: "return=representation" }),
          ...(requestId === undefined ? {} : { "paypal-request-id": requestId }),
        },
        ...(body === undefined ? {} : { body }),
      });
    const token = await tokens.get();
    const said = await sendWith(token);
    return said.status === 401 ? sendWith(await tokens.renew(token)) : said;
  };
}

/** Keeps one token until shortly before it ends; those who need a new one at the same moment share one question. */
function makeTokens(clock: Clock, fetchToken: () => Promise<z.output<typeof Token>>) {
  let current: { token: string; until: number } | null = null;
  let coming: Promise<string> | null = null;
  const fresh = (): Promise<string> => {
    coming ??= fetchToken()
      .then(({ access_token: token, expires_in: seconds }) => {
        current = { token, until: clock.now().getTime() + seconds * SECOND_MS - TOKEN_MARGIN_MS };
        return token;
      })
      .finally(() => (coming = null));
    return coming;
  };
  return {
    get: async (): Promise<string> =>
      current && current.until > clock.now().getTime() ? current.token : fresh(),
    /** A token in place of one that PayPal does not take any more, unless there is another one already. */
    renew: async (refused: string): Promise<string> => {
      if (current?.token === refused) current = null;
      return current?.token ?? fresh();
    },
  };
}

const isWell = ({ status }: Said): boolean => status >= 200 && status < 300;

/** What PayPal refuses in so many words; null for everything else, what is unclear too. */
function refusalOf({ status, body }: Said): PayPalRefusal | null {
  if (status < 400 || status >= 500 || SAYS_NOTHING.has(status)) return null;
  const read = z.safeParse(Refusal, body);
  if (!read.success) return null;
  // That is about the words of this request: what became of the first one it does not tell.
  const isOfWords = read.data.details.some(({ issue }) => issue === "DUPLICATE_REQUEST_ID");
  return isOfWords ? null : read.data;
}

function orderBody(order: NewOrder, statementText: string) {
  return {
    intent: "CAPTURE",
    purchase_units: [
      {
        reference_id: order.orderId,
        custom_id: order.orderId,
        invoice_id: order.orderId,
        description: DESCRIPTION,
        soft_descriptor: statementText,
        amount: moneyOf(order.currency, order.amount),
      },
    ],
    application_context: {
      brand_name: statementText,
      shipping_preference: "NO_SHIPPING",
      user_action: "PAY_NOW",
      return_url: order.returnUrl,
      cancel_url: order.cancelUrl,
    },
  };
}

function payoutBody({ batchId, itemId, email, cents }: NewPayout) {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new Error(`${cents} cents cannot be paid out`);
  return {
    sender_batch_header: { sender_batch_id: batchId },
    items: [
      {
        recipient_type: "EMAIL",
        receiver: email,
        amount: {
          currency: "USD",
          value: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
        },
        sender_item_id: itemId,
        note: DESCRIPTION,
      },
    ],
  };
}

function presentPayout({ batch_header, items }: z.output<typeof Batch>): Payout {
  const [item] = items ?? [];
  return {
    payoutBatchId: batch_header.payout_batch_id,
    status: batch_header.batch_status,
    item: item ? presentItem(item) : null,
  };
}

function presentItem(item: z.output<typeof Item>): PayoutItem {
  const { amount, sender_item_id } = item.payout_item;
  return {
    payoutItemId: item.payout_item_id,
    payoutBatchId: item.payout_batch_id ?? null,
    itemId: sender_item_id ?? null,
    status: item.transaction_status,
    amount: { currency_code: amount.currency, value: amount.value },
    problem: item.errors?.name ?? null,
  };
}

/** Wherever it says so: a batch that PayPal has, taken for one that it refused, would be paid twice. */
function isAboutBatchId(body: unknown): boolean {
  return /sender_?batch_?id/i.test(JSON.stringify(body) ?? "");
}

/** The batch that PayPal points at when it has one with the same id of ours. */
function batchOfLinks(body: unknown): string | null {
  const read = z.safeParse(z.object({ links: z.array(Link) }), body);
  const [, id] = read.success
    ? (read.data.links.map(({ href }) => /\/payouts\/([\w-]+)$/.exec(href)).find((found) => found !== null) ??
      [])
    : [];
  return id ?? null;
}

/** What PayPal is asked about a webhook: the event goes into it letter by letter. Null for what cannot be PayPal's. */
function verificationBody({ headers, body }: WebhookDelivery, webhookId: string | null): string | null {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === "string" && value.length <= 2_000 ? value : null;
  };
  const asked = {
    auth_algo: header("paypal-auth-algo"),
    cert_url: header("paypal-cert-url"),
    transmission_id: header("paypal-transmission-id"),
    transmission_sig: header("paypal-transmission-sig"),
    transmission_time: header("paypal-transmission-time"),
    webhook_id: webhookId,
  };
  // NOTE: only a body that is one object by itself may be put among our own words.
  if (Object.values(asked).includes(null) || !isObject(body)) return null;
  return `${JSON.stringify(asked).slice(0, -1)},"webhook_event":${body}}`;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
