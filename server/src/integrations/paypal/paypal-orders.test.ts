import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { newOrder, payPalClientTests } from "../../testing/paypal-client.ts";
import { PaymentRejectedError, PaymentUnknownError } from "./payments.ts";

const { paypal, open, payments, approvedOrder, takenOf } = await payPalClientTests();

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

test("returns the paying account once its owner has approved", async () => {
  const { paypalOrderId } = await payments.createOrder(newOrder());
  expect(JSON.stringify(await payments.showOrder(paypalOrderId))).not.toContain("example.com");

  await paypal.approve(paypalOrderId, false, "taro-pays@example.com");

  const email_address = "taro-pays@example.com";
  const id = expect.stringMatching(/^[0-9A-Z]{13}$/);
  const order = {
    payer: { email_address, payer_id: id },
    payment_source: { paypal: { email_address, account_id: id } },
  };
  expect(await payments.showOrder(paypalOrderId)).toMatchObject({ order });
  expect(await payments.captureOrder({ paypalOrderId, requestId: "1" })).toMatchObject({ order });
});

test("returns an order whose payer has an unexpected shape", async () => {
  const order = {
    id: "A",
    status: "APPROVED",
    purchase_units: [],
    payer: "Taro",
    payment_source: { card: {} },
  };
  const server = createServer((request, response) => {
    const isToken = request.url?.startsWith("/v1/oauth2/token");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isToken ? { access_token: "token", expires_in: 32_400 } : order));
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };

  const shown = await open({ account: { apiUrl: `http://127.0.0.1:${port}` } }).showOrder("A");

  expect(shown).toMatchObject({ kind: "order", order: { id: "A", payer: null } });
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
