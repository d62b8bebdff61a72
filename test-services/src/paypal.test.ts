import { afterAll, beforeAll, expect, test } from "vitest";
import { startPayPal, type FakePayPal } from "./paypal.ts";

let paypal: FakePayPal;
let token: string;

beforeAll(async () => {
  paypal = await startPayPal();
  const { clientId, clientSecret } = paypal.account;
  const given = await askForToken(`Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`);
  token = ((await given.json()) as { access_token: string }).access_token;
});
afterAll(() => paypal.close());

const askForToken = (authorization: string, body = "grant_type=client_credentials") =>
  fetch(`${paypal.origin}/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
    body,
  });

interface Received {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function send(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Received> {
  const response = await fetch(`${paypal.origin}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Received["body"] };
}

const ALL = { prefer: "return=representation" };
let made = 0;
const unit = (change: object = {}) => ({
  custom_id: `order-${++made}`,
  invoice_id: `order-${made}`,
  amount: { currency_code: "USD", value: "10.00" },
  ...change,
});
const order = (change: object = {}) => ({ intent: "CAPTURE", purchase_units: [unit(change)] });
const create = (body: unknown = order(), headers: Record<string, string> = ALL) =>
  send("/v2/checkout/orders", body, headers);
const capture = (id: unknown, requestId: string = crypto.randomUUID()) =>
  send(`/v2/checkout/orders/${String(id)}/capture`, {}, { ...ALL, "paypal-request-id": requestId });
const issue = (received: Received) => (received.body["details"] as { issue: string }[])[0]!.issue;

test.each([
  [{ value: "10.5", currency_code: "JPY" }, 422, "DECIMALS_NOT_SUPPORTED"],
  [{ value: "1500.00", currency_code: "TWD" }, 422, "DECIMALS_NOT_SUPPORTED"],
  [{ value: "10.005", currency_code: "USD" }, 422, "DECIMAL_PRECISION"],
  [{ value: "0", currency_code: "USD" }, 422, "CANNOT_BE_ZERO_OR_NEGATIVE"],
  [{ value: "-10", currency_code: "USD" }, 422, "CANNOT_BE_ZERO_OR_NEGATIVE"],
  [{ value: "10", currency_code: "XYZ" }, 422, "CURRENCY_NOT_SUPPORTED"],
  [{ value: 10, currency_code: "USD" }, 400, "INVALID_PARAMETER_SYNTAX"],
  [{ value: "1e3", currency_code: "USD" }, 400, "INVALID_PARAMETER_SYNTAX"],
  [{ currency_code: "USD" }, 400, "MISSING_REQUIRED_PARAMETER"],
])("rejects an amount of %o", async (amount, status, name) => {
  const received = await create(order({ amount }));

  expect([received.status, issue(received)]).toEqual([status, name]);
});

test.each([
  [{ soft_descriptor: "MORE THAN 22 CHARACTERS" }, "INVALID_STRING_LENGTH"],
  [{ soft_descriptor: "A/B" }, "INVALID_PARAMETER_SYNTAX"],
  [{ custom_id: "x".repeat(128) }, "INVALID_STRING_LENGTH"],
])("rejects a purchase unit with %o", async (change, name) => {
  expect(issue(await create(order(change)))).toBe(name);
});

test("rejects invalid orders, invalid JSON and unauthenticated requests", async () => {
  expect(issue(await create({ ...order(), intent: "AUTHORIZE" }))).toBe("INVALID_PARAMETER_VALUE");
  expect(issue(await create({ intent: "CAPTURE", purchase_units: [] }))).toBe("INVALID_ARRAY_MAX_ITEMS");
  expect(issue(await create("{"))).toBe("MALFORMED_REQUEST_JSON");
  expect((await create(order(), { "content-type": "text/plain" })).status).toBe(415);
  expect((await create(order(), { authorization: "Bearer made-up" })).status).toBe(401);
  expect((await send("/v2/checkout/orders/UNKNOWN")).status).toBe(404);
  expect((await send("/v3/checkout")).status).toBe(404);
  expect((await askForToken("Basic bm9ib2R5OnNlY3JldA==")).status).toBe(401);
});

test("returns few fields without Prefer", async () => {
  const { status, body } = await create(order(), {});

  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual(["id", "status", "links"]);
});

test("repeats the response for a request id, also an error, and rejects another body", async () => {
  const [words, requestId] = [order(), crypto.randomUUID()];
  const headers = { ...ALL, "paypal-request-id": requestId };

  const first = await create(words, headers);
  expect(await create(words, headers)).toEqual(first);
  expect(issue(await create(order(), headers))).toBe("DUPLICATE_REQUEST_ID");

  const error = await capture(first.body["id"], requestId);
  await paypal.approve(String(first.body["id"]));
  expect(await capture(first.body["id"], requestId)).toEqual(error);
});

test("creates, approves and captures an order only in this sequence", async () => {
  const { body } = await create();
  const id = String(body["id"]);

  expect(issue(await capture(id))).toBe("ORDER_NOT_APPROVED");
  await paypal.approve(id, true);
  expect(issue(await capture(id))).toBe("INSTRUMENT_DECLINED");
  expect((await capture(id)).body["status"]).toBe("COMPLETED");
  expect(issue(await capture(id))).toBe("ORDER_ALREADY_CAPTURED");
  await expect(paypal.approve(id)).rejects.toThrow("ORDER_CANNOT_BE_APPROVED");
});

test("rejects a second capture for an invoice_id", async () => {
  const twin = order();
  const [first, second] = [await create(twin), await create(twin)];
  for (const { body } of [first, second]) await paypal.approve(String(body["id"]));

  expect((await capture(first.body["id"])).status).toBe(201);
  expect(issue(await capture(second.body["id"]))).toBe("DUPLICATE_INVOICE_ID");
});

test("refunds at most the captured amount in its currency and records it in the ledger", async () => {
  const { body } = await create();
  await paypal.approve(String(body["id"]));
  await capture(body["id"]);
  const reference = `order-${made}`;
  const entries = async () => (await paypal.ledger()).filter((entry) => entry.reference === reference);
  const { id } = (await entries())[0]!;
  const refund = (amount?: object) =>
    send(`/v2/payments/captures/${id}/refund`, amount ? { amount } : {}, ALL);

  expect(issue(await refund({ currency_code: "JPY", value: "5" }))).toBe("CURRENCY_MISMATCH");
  expect((await refund({ currency_code: "USD", value: "4.00" })).status).toBe(201);
  expect(issue(await refund({ currency_code: "USD", value: "6.01" }))).toBe("REFUND_AMOUNT_EXCEEDED");
  expect((await refund()).status).toBe(201);
  expect(issue(await refund())).toBe("CAPTURE_FULLY_REFUNDED");

  expect((await entries()).map(({ kind, units }) => [kind, units])).toEqual([
    ["taken", 1_000],
    ["given back", 400],
    ["given back", 600],
  ]);
});

const payout = (change: object = {}, batch: string = crypto.randomUUID()) => ({
  sender_batch_header: { sender_batch_id: batch },
  items: [
    {
      recipient_type: "EMAIL",
      receiver: "taro@example.com",
      amount: { currency: "USD", value: "12.34" },
      sender_item_id: `item-${batch}`,
      ...change,
    },
  ],
});

test.each([
  { recipient_type: "PHONE" },
  { receiver: "taro" },
  { amount: { currency: "USD", value: "12.345" } },
  { amount: { currency: "USD", value: "0.00" } },
  { amount: { currency: "JPY", value: "1200" } },
  { sender_item_id: "x".repeat(64) },
])("rejects a payout with %o", async (change) => {
  const received = await send("/v1/payments/payouts", payout(change));

  expect([received.status, received.body["name"]]).toEqual([400, "VALIDATION_ERROR"]);
});

test("accepts a batch id once and links to the first batch", async () => {
  const words = payout();
  const first = await send("/v1/payments/payouts", words);
  const second = await send("/v1/payments/payouts", words);

  const { payout_batch_id: id } = first.body["batch_header"] as { payout_batch_id: string };
  expect([first.status, second.status, second.body["name"]]).toEqual([201, 400, "USER_BUSINESS_ERROR"]);
  expect(second.body["links"]).toMatchObject([{ href: `${paypal.origin}/v1/payments/payouts/${id}` }]);

  await paypal.settlePayout(id, "RETURNED");
  const ledger = await paypal.ledger();
  const reference = words.items[0]!.sender_item_id;
  expect(ledger.filter((entry) => entry.reference === reference)).toMatchObject([
    { kind: "paid out", units: 1_234 },
    { kind: "came back", units: 1_234 },
  ]);
  expect((await paypal.events(reference)).map(({ event_type }) => event_type)).toEqual([
    "PAYMENT.PAYOUTS-ITEM.SUCCEEDED",
    "PAYMENT.PAYOUTS-ITEM.RETURNED",
  ]);
});
