import * as z from "zod/mini";
import {
  toMoney,
  unitsToMoney,
  PaymentUnknownError,
  type NewOrder,
  type OrderResult,
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
const NewRefund = z.object({ id: z.string(), status: z.string() });
const Text = z.nullish(z.string());
/** An unexpected payer must not stop a payment from being recorded. */
function orNull<Schema extends z.ZodMiniType>(schema: Schema) {
  const parse = (value: unknown): z.output<Schema> | null => z.safeParse(schema, value).data ?? null;
  return z.optional(z.pipe(z.unknown(), z.transform(parse)));
}
const Address = orNull(z.object({ country_code: Text }));
const Account = z.object({ account_id: Text, email_address: Text, address: Address });
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
  payer: orNull(z.object({ payer_id: Text, email_address: Text, address: Address })),
  payment_source: orNull(z.object({ paypal: z.nullish(Account) })),
});
const Created = z.object({ id: z.string(), links: z.array(Link) });
const Verified = z.object({ verification_status: z.string() });

export function createPayPal({
  statementText,
  ...deps
}: RequestDeps & { readonly statementText: string }): Payments {
  const { account } = deps;
  const requests = createRequests(deps);
  const { send, request, parse } = requests;

  async function requestOrder(
    operation: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<OrderResult> {
    const response = await send(operation, path, options);
    const rejection = rejectionOf(response);
    if (rejection) return { kind: "rejected", rejection };
    return { kind: "order", order: parse(operation, Order, response) };
  }

  const showOrder = (paypalOrderId: string): Promise<OrderResult> =>
    requestOrder("show order", `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}`);

  return {
    ...createPayouts(requests),
    showOrder,

    async createOrder(order) {
      const options = { requestId: order.requestId, body: JSON.stringify(orderBody(order, statementText)) };
      const { id, links } = await request("create order", Created, "/v2/checkout/orders", options);
      const link = links.find(({ rel }) => rel === "approve" || rel === "payer-action");
      if (!link || !URL.canParse(link.href))
        throw new PaymentUnknownError("PayPal's response for a new order has no link");
      return { paypalOrderId: id, approveUrl: link.href };
    },

    async captureOrder({ paypalOrderId, requestId }) {
      const path = `/v2/checkout/orders/${encodeURIComponent(paypalOrderId)}/capture`;
      const result = await requestOrder("capture order", path, { requestId, body: "{}" });
      const isCaptured =
        result.kind === "rejected" &&
        result.rejection.details.some(({ issue }) => issue === "ORDER_ALREADY_CAPTURED");
      return isCaptured ? showOrder(paypalOrderId) : result;
    },

    showCapture: (captureId) =>
      request("show capture", Capture, `/v2/payments/captures/${encodeURIComponent(captureId)}`),

    async refundCapture({ captureId, requestId, currency, units }) {
      const path = `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`;
      const amount = unitsToMoney(currency, units);
      const response = await send("refund", path, { requestId, body: JSON.stringify({ amount }) });
      const rejection = rejectionOf(response);
      if (rejection) return { kind: "rejected", rejection };
      return { kind: "refund", refund: { ...parse("refund", NewRefund, response), amount } };
    },

    async verifyWebhook(delivery) {
      const body = verificationBody(delivery, account.webhookId);
      if (body === null) return false;
      const path = "/v1/notifications/verify-webhook-signature";
      const response = await send("verify webhook", path, { body });
      if (rejectionOf(response)) return false;
      return parse("verify webhook", Verified, response).verification_status === "SUCCESS";
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

/** Contains the webhook's body unchanged. Returns null for a webhook that cannot be PayPal's. */
function verificationBody({ headers, body }: WebhookDelivery, webhookId: string | null): string | null {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === "string" && value.length <= 2_000 ? value : null;
  };
  const fields = {
    auth_algo: header("paypal-auth-algo"),
    cert_url: header("paypal-cert-url"),
    transmission_id: header("paypal-transmission-id"),
    transmission_sig: header("paypal-transmission-sig"),
    transmission_time: header("paypal-transmission-time"),
    webhook_id: webhookId,
  };
  // NOTE: only a body that is exactly one JSON object may be inserted.
  if (Object.values(fields).includes(null) || !isObject(body)) return null;
  return `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${body}}`;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
