import * as z from "zod/mini";
import {
  toMoney,
  PaymentUnknownError,
  type NewOrder,
  type Outcome,
  type Payments,
  type WebhookDelivery,
} from "./payments.ts";
import { createPayouts } from "./paypal-payouts.ts";
import {
  DESCRIPTION,
  Link,
  createRequests,
  rejectionOf,
  type RequestOptions,
  type RequestDeps,
} from "./paypal-requests.ts";

const Money = z.object({ currency_code: z.string(), value: z.string() });
const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Money,
  custom_id: z.optional(z.string()),
  invoice_id: z.optional(z.string()),
});
const Refund = z.object({ id: z.string(), status: z.string(), amount: Money });
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
const Verified = z.object({ verification_status: z.string() });

/** PayPal's Orders v2, Payments v2, Payouts v1 and the check of webhooks, at whatever address the account names. */
export function createPayPal({
  statementText,
  ...parts
}: RequestDeps & { readonly statementText: string }): Payments {
  const { account } = parts;
  const requests = createRequests(parts);
  const { ask, askFor, understood } = requests;

  async function outcome(what: string, path: string, asking: RequestOptions = {}): Promise<Outcome> {
    const said = await ask(what, path, asking);
    const apiError = rejectionOf(said);
    if (apiError) return { kind: "refused", apiError };
    return { kind: "order", order: understood(what, Order, said) };
  }

  const showOrder = (paypalOrderId: string): Promise<Outcome> =>
    outcome("order", `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}`);

  return {
    ...createPayouts(requests),
    showOrder,

    async createOrder(order) {
      const asking = { requestId: order.requestId, body: JSON.stringify(orderBody(order, statementText)) };
      const { id, links } = await askFor("new order", Linked, "/v2/checkout/orders", asking);
      const link = links.find(({ rel }) => rel === "approve" || rel === "payer-action");
      if (!link || !URL.canParse(link.href)) throw new PaymentUnknownError("PayPal's new order has no link");
      return { paypalOrderId: id, approveUrl: link.href };
    },

    async captureOrder({ paypalOrderId, requestId }) {
      const path = `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}/capture`;
      const captured = await outcome("capture", path, { requestId, body: "{}" });
      const isDone =
        captured.kind === "refused" &&
        captured.apiError.details.some(({ issue }) => issue === "ORDER_ALREADY_CAPTURED");
      return isDone ? showOrder(paypalOrderId) : captured;
    },

    showCapture: (captureId) =>
      askFor("capture", Capture, `/v2/payments/captures/${encodeURIComponent(captureId)}`),

    async verifyWebhook(delivery) {
      const body = verificationBody(delivery, account.webhookId);
      if (body === null) return false;
      const path = "/v1/notifications/verify-webhook-signature";
      const said = await ask("check of a webhook", path, { body });
      if (rejectionOf(said)) return false;
      return understood("check of a webhook", Verified, said).verification_status === "SUCCESS";
    },
  };
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
        amount: toMoney(order.currency, order.amount),
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
