import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { beforeEach, afterAll, beforeAll, expect, test } from "vitest";
import type { Currency } from "@alcove/contract/prices";
import { startPayPal, type FakePayPal } from "@alcove/test-services/paypal";
import { openLog } from "../../platform/log.ts";
import { PaymentRejectedError, PaymentUnknownError, type Payments } from "./payments.ts";
import { eventually, TestClock } from "../../testing/test-service.ts";
import { createPayPal } from "./paypal.ts";

let paypal: FakePayPal;
let clock: TestClock;
let payments: Payments;

beforeAll(async () => {
  paypal = await startPayPal();
});
afterAll(() => paypal.close());
beforeEach(async () => {
  await paypal.clearFaults();
  clock = new TestClock();
  payments = open();
});

function open(patienceMs = 5_000): Payments {
  return createPayPal({
    account: paypal.account,
    statementText: "ONLINE SERVICES",
    clock,
    log: openLog("silent"),
    timeoutMs: patienceMs,
  });
}

const newOrder = (orderId: string = randomUUID(), currency: Currency = "USD", amount = 80) => ({
  requestId: `create-${orderId}`,
  orderId,
  currency,
  amount,
  returnUrl: "http://127.0.0.1:3000/en/upgrade-account/return",
  cancelUrl: "http://127.0.0.1:3000/en/upgrade-account",
});

async function approvedOrder(): Promise<string> {
  const { paypalOrderId } = await payments.createOrder(newOrder());
  await paypal.approve(paypalOrderId);
  return paypalOrderId;
}

const takenOf = async (paypalOrderId: string) => {
  const { purchase_units } = (await paypal.order(paypalOrderId)) as {
    purchase_units: [{ custom_id: string }];
  };
  const book = await paypal.ledger();
  return book.filter(({ kind, reference }) => kind === "taken" && reference === purchase_units[0].custom_id);
};

test.each([
  ["USD", 80, "80.00", 8_000],
  ["JPY", 12_000, "12000", 12_000],
  ["TWD", 2_500, "2500", 2_500],
] as const)(
  "creates, approves and captures an order of %s %i exactly",
  async (currency, amount, value, units) => {
    const order = newOrder(randomUUID(), currency, amount);

    const { paypalOrderId, approveUrl } = await payments.createOrder(order);
    expect(approveUrl).toBe(`${paypal.origin}/checkoutnow?token=${paypalOrderId}`);
    await paypal.approve(paypalOrderId);
    const captured = await payments.captureOrder({ paypalOrderId, requestId: "capture" });

    const money = { currency_code: currency, value };
    expect(captured).toMatchObject({
      kind: "order",
      order: {
        id: paypalOrderId,
        status: "COMPLETED",
        purchase_units: [
          {
            custom_id: order.orderId,
            amount: money,
            payments: { captures: [{ status: "COMPLETED", amount: money, custom_id: order.orderId }] },
          },
        ],
      },
    });
    expect(await takenOf(paypalOrderId)).toMatchObject([{ currency, units }]);
  },
);

test("shows the buyer neither our name nor our purpose", async () => {
  const { paypalOrderId } = await payments.createOrder(newOrder());

  expect(await paypal.order(paypalOrderId)).toMatchObject({
    purchase_units: [{ description: "Online services", soft_descriptor: "ONLINE SERVICES" }],
  });
  const page = await fetch(`${paypal.origin}/checkoutnow?token=${paypalOrderId}`);
  expect(await page.text()).not.toMatch(/alcove|member|match/i);
});

test("returns nothing of the buyer's account", async () => {
  const shown = await payments.showOrder(await approvedOrder());

  expect(JSON.stringify(shown)).not.toContain("example.com");
});

test("returns the same order for the same request id", async () => {
  const order = newOrder();

  const first = await payments.createOrder(order);
  expect(await payments.createOrder(order)).toEqual(first);
  await expect(payments.createOrder({ ...order, amount: 10 })).rejects.toThrow(PaymentUnknownError);
});

test("rejects a capture when the order is not approved or is declined, for each request id", async () => {
  const { paypalOrderId } = await payments.createOrder(newOrder());
  const rejected = (issue: string) => ({
    kind: "rejected",
    rejection: {
      name: "UNPROCESSABLE_ENTITY",
      details: [{ issue, description: expect.any(String) }],
      debug_id: expect.any(String),
    },
  });

  expect(await payments.captureOrder({ paypalOrderId, requestId: "1" })).toEqual(
    rejected("ORDER_NOT_APPROVED"),
  );
  await paypal.approve(paypalOrderId, true);
  expect(await payments.captureOrder({ paypalOrderId, requestId: "1" })).toEqual(
    rejected("ORDER_NOT_APPROVED"),
  );
  expect(await payments.captureOrder({ paypalOrderId, requestId: "2" })).toEqual(
    rejected("INSTRUMENT_DECLINED"),
  );
  expect(await payments.captureOrder({ paypalOrderId, requestId: "3" })).toMatchObject({ kind: "order" });
});

test("returns the order's state when it was captured before", async () => {
  const paypalOrderId = await approvedOrder();

  const first = await payments.captureOrder({ paypalOrderId, requestId: "1" });
  const second = await payments.captureOrder({ paypalOrderId, requestId: "2" });

  expect(second).toEqual(first);
  expect(await takenOf(paypalOrderId)).toHaveLength(1);
});

test("captures once when many captures come at the same time", async () => {
  const paypalOrderId = await approvedOrder();

  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => payments.captureOrder({ paypalOrderId, requestId: `${i % 4}` })),
  );

  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(PaymentUnknownError);
    else expect(outcome.value).toMatchObject({ kind: "order", order: { status: "COMPLETED" } });
  }
  expect(await takenOf(paypalOrderId)).toHaveLength(1);
});

test("rejects an order that PayPal no longer knows", async () => {
  const { paypalOrderId } = await payments.createOrder(newOrder());
  await paypal.expireOrder(paypalOrderId);

  expect(await payments.showOrder(paypalOrderId)).toMatchObject({
    kind: "rejected",
    rejection: { name: "RESOURCE_NOT_FOUND", details: [{ issue: "INVALID_RESOURCE_ID" }] },
  });
});

const BEFORE = ["failing", "hanging up", "garbled", "silent", "too many requests"] as const;
const AFTER = ["failing after", "hanging up after", "garbled after", "silent after"] as const;

test.each([...BEFORE, ...AFTER])(
  "reports an unknown result when a capture meets %s, and captures once with the same request id",
  async (fault) => {
    const impatient = open(300);
    const paypalOrderId = await approvedOrder();
    await paypal.injectFault({ call: "capture order", fault: fault, of: paypalOrderId });

    await expect(impatient.captureOrder({ paypalOrderId, requestId: "1" })).rejects.toThrow(
      PaymentUnknownError,
    );
    expect(await takenOf(paypalOrderId)).toHaveLength(fault.endsWith("after") ? 1 : 0);
    expect(await payments.captureOrder({ paypalOrderId, requestId: "1" })).toMatchObject({
      kind: "order",
      order: { status: "COMPLETED" },
    });
    expect(await takenOf(paypalOrderId)).toHaveLength(1);
  },
);

test.each([...BEFORE, ...AFTER])("reports an unknown result when a new order meets %s", async (fault) => {
  const impatient = open(300);
  const order = newOrder();
  await paypal.injectFault({ call: "create order", fault: fault, of: order.orderId });

  await expect(impatient.createOrder(order)).rejects.toThrow(PaymentUnknownError);
  await expect(payments.createOrder(order)).resolves.toMatchObject({ approveUrl: expect.any(String) });
});

test("reports an unknown result when the same capture is still running", async () => {
  const paypalOrderId = await approvedOrder();
  await paypal.injectFault({ call: "capture order", fault: "waiting after", of: paypalOrderId });

  const first = payments.captureOrder({ paypalOrderId, requestId: "1" });
  await eventually(async () => expect(await paypal.heldCount()).toBe(1));
  await expect(payments.captureOrder({ paypalOrderId, requestId: "1" })).rejects.toThrow(PaymentUnknownError);
  await paypal.releaseHeld();

  expect(await first).toMatchObject({ kind: "order" });
});

test("returns a pending capture until the buyer's bank decides", async () => {
  for (const to of ["COMPLETED", "DECLINED"] as const) {
    const paypalOrderId = await approvedOrder();
    await paypal.injectFault({ call: "capture order", fault: "pending", of: paypalOrderId });

    const outcome = await payments.captureOrder({ paypalOrderId, requestId: "1" });
    const capture =
      outcome.kind === "order" ? outcome.order.purchase_units[0]?.payments?.captures?.[0] : null;
    expect(capture).toMatchObject({ status: "PENDING" });
    expect(await takenOf(paypalOrderId)).toHaveLength(0);

    await paypal.settle(capture!.id, to);
    expect(await payments.showCapture(capture!.id)).toMatchObject({ status: to });
    expect(await takenOf(paypalOrderId)).toHaveLength(to === "COMPLETED" ? 1 : 0);
  }
});

test("returns refunds with the capture and the order", async () => {
  const paypalOrderId = await approvedOrder();
  await payments.captureOrder({ paypalOrderId, requestId: "1" });
  const [capture] = await takenOf(paypalOrderId);

  await paypal.refund(capture!.id, { currency_code: "USD", value: "30.00" });
  expect(await payments.showCapture(capture!.id)).toMatchObject({ status: "PARTIALLY_REFUNDED" });
  await paypal.reverse(capture!.id);
  expect(await payments.showCapture(capture!.id)).toMatchObject({ status: "REFUNDED" });

  expect(await payments.showOrder(paypalOrderId)).toMatchObject({
    order: {
      purchase_units: [
        { payments: { refunds: [{ amount: { value: "30.00" } }, { amount: { value: "50.00" } }] } },
      ],
    },
  });
  await expect(payments.showCapture("NO-SUCH-CAPTURE")).rejects.toThrow(PaymentRejectedError);
});

test("shares one token until shortly before its end and renews a revoked one", async () => {
  const before = await paypal.requestCount("token");
  const tokens = async () => (await paypal.requestCount("token")) - before;
  const show = () => payments.showOrder("NOBODYS");

  await Promise.all(Array.from({ length: 20 }, show));
  expect(await tokens()).toBe(1);

  clock.advance(32_400_000 - 61_000);
  await show();
  expect(await tokens()).toBe(1);
  clock.advance(2_000);
  await Promise.all([show(), show()]);
  expect(await tokens()).toBe(2);

  await paypal.expireTokens();
  expect(await Promise.all([show(), show(), show()])).toMatchObject([
    { kind: "rejected" },
    { kind: "rejected" },
    { kind: "rejected" },
  ]);
  expect(await tokens()).toBe(3);
});

test("repeats a capture once with a new token, then reports an unknown result", async () => {
  const paypalOrderId = await approvedOrder();
  await paypal.injectFault({
    call: "capture order",
    fault: "forgetting the token",
    of: paypalOrderId,
    times: 2,
  });

  await expect(payments.captureOrder({ paypalOrderId, requestId: "1" })).rejects.toThrow(PaymentUnknownError);
  expect(await payments.captureOrder({ paypalOrderId, requestId: "1" })).toMatchObject({ kind: "order" });
});

test("reports an unknown result without the secret when the credentials are wrong", async () => {
  const unauthorized = createPayPal({
    account: { ...paypal.account, clientSecret: "not-the-secret" },
    statementText: "ONLINE SERVICES",
    clock,
    log: openLog("silent"),
  });

  const error = await unauthorized.createOrder(newOrder()).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(PaymentUnknownError);
  expect(String((error as Error).stack)).not.toContain("not-the-secret");
});

test("reports an unknown result when PayPal is unreachable or its response never ends", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const pour = () => {
      while (response.writable && response.write(`"${"a".repeat(16_384)}",`));
    };
    response.on("drain", pour).write("[");
    pour();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const at = (apiUrl: string) =>
    createPayPal({
      account: { ...paypal.account, apiUrl },
      statementText: "ONLINE SERVICES",
      clock,
      log: openLog("silent"),
    });

  await expect(at(`http://127.0.0.1:${port}`).showOrder("A")).rejects.toThrow(PaymentUnknownError);
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  await expect(at(`http://127.0.0.1:${port}`).showOrder("A")).rejects.toThrow(PaymentUnknownError);
});

const newPayout = (email = "hanako@example.com") => ({
  batchId: randomUUID(),
  itemId: randomUUID(),
  email,
  cents: 1_605,
});

test("pays out the exact amount once when it is sent several times", async () => {
  const payout = newPayout();
  await paypal.injectFault({ call: "create payout", fault: "hanging up after", of: payout.batchId });

  await expect(payments.createPayout(payout)).rejects.toThrow(PaymentUnknownError);
  const again = await payments.createPayout(payout);
  await expect(payments.createPayout({ ...payout, cents: 5 })).rejects.toThrow(PaymentUnknownError);
  await paypal.expireRequestIds();
  expect(await payments.createPayout({ ...payout, cents: 5 })).toMatchObject({
    payoutBatchId: again.payoutBatchId,
    item: { itemId: payout.itemId, amount: { value: "16.05" } },
  });

  const shown = await payments.showPayout(again.payoutBatchId);
  expect(shown).toEqual({
    payoutBatchId: again.payoutBatchId,
    status: "SUCCESS",
    item: {
      payoutItemId: expect.any(String),
      payoutBatchId: again.payoutBatchId,
      itemId: payout.itemId,
      status: "SUCCESS",
      amount: { currency_code: "USD", value: "16.05" },
      problem: null,
    },
  });
  expect(await payments.showPayoutItem(shown.item!.payoutItemId)).toEqual(shown.item);
  expect((await paypal.ledger()).filter(({ reference }) => reference === payout.itemId)).toMatchObject([
    { kind: "paid out", units: 1_605, currency: "USD" },
  ]);
});

test.each(["FAILED", "UNCLAIMED", "RETURNED"] as const)("returns a payout that is %s", async (state) => {
  const payout = newPayout(`${state.toLowerCase()}@example.com`);
  await paypal.setPayoutOutcome(payout.email, "PENDING");

  const { payoutBatchId } = await payments.createPayout(payout);
  expect(await payments.showPayout(payoutBatchId)).toMatchObject({
    status: "PENDING",
    item: { status: "PENDING", problem: null },
  });
  await paypal.settlePayout(payoutBatchId, state);

  expect(await payments.showPayout(payoutBatchId)).toMatchObject({
    status: "SUCCESS",
    item: { status: state, problem: expect.any(String) },
  });
});

test("rejects a payout to an invalid address and an unknown payout id", async () => {
  await expect(payments.createPayout(newPayout("nobody"))).rejects.toThrow(PaymentRejectedError);
  await expect(payments.createPayout({ ...newPayout(), cents: 10.5 })).rejects.toThrow("cannot be paid out");
  await expect(payments.showPayout("NOBODYS")).rejects.toThrow(PaymentRejectedError);
  await expect(payments.showPayoutItem("NOBODYS")).rejects.toThrow(PaymentRejectedError);
});

test.each([
  ["names the field", { details: [{ field: "SENDER_BATCH_ID", issue: "Taken" }] }],
  ["says it in its message", { message: "Batch with given sender_batch_id already exists" }],
  ["says it in an issue", { details: [{ issue: "Batch with given sender_batch_id already exists" }] }],
  [
    "points at the batch",
    { links: [{ rel: "self", href: "https://api-m.paypal.com/v1/payments/payouts/B1" }] },
  ],
])("never treats an existing payout as rejected when PayPal %s", async (_, words) => {
  const server = createServer((request, response) => {
    const isToken = request.url?.startsWith("/v1/oauth2/token");
    response.writeHead(isToken ? 200 : request.method === "POST" ? 400 : 404, {
      "content-type": "application/json",
    });
    response.end(
      JSON.stringify(
        isToken
          ? { access_token: "token", token_type: "Bearer", expires_in: 32_400 }
          : { name: "USER_BUSINESS_ERROR", message: "User business error.", debug_id: "1", ...words },
      ),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const unauthorized = createPayPal({
    account: { ...paypal.account, apiUrl: `http://127.0.0.1:${port}` },
    statementText: "ONLINE SERVICES",
    clock,
    log: openLog("silent"),
  });

  const error = await unauthorized.createPayout(newPayout()).catch((thrown: unknown) => thrown);

  server.closeAllConnections();
  server.close();
  expect(error).toBeInstanceOf(PaymentUnknownError);
});

test("accepts a webhook only when PayPal sent exactly these bytes to us", async () => {
  const received: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  await approvedOrder();
  const { id } = (await paypal.events()).at(-1)!;

  for (const forgery of ["body", "signature", "other webhook", "certificate", "no headers"] as const) {
    await paypal.deliver(id, url, forgery);
    expect(await payments.verifyWebhook(received.at(-1)!)).toBe(false);
  }
  await paypal.deliver(id, url);
  const genuine = received.at(-1)!;
  expect(await payments.verifyWebhook(genuine)).toBe(true);
  expect(await payments.verifyWebhook(genuine)).toBe(true);

  const written = JSON.stringify(JSON.parse(genuine.body));
  for (const body of [written, "", "null", "[]", `${genuine.body},"webhook_id":"x"`, `${genuine.body} {}`]) {
    expect(await payments.verifyWebhook({ ...genuine, body })).toBe(false);
  }
  const withoutWebhook = createPayPal({
    account: { ...paypal.account, webhookId: null },
    statementText: "ONLINE SERVICES",
    clock,
    log: openLog("silent"),
  });
  expect(await withoutWebhook.verifyWebhook(genuine)).toBe(false);
  await paypal.injectFault({ call: "verify webhook", fault: "failing" });
  await expect(payments.verifyWebhook(genuine)).rejects.toThrow(PaymentUnknownError);
  server.close();
});
