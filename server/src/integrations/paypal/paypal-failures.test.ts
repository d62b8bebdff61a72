import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { newOrder, payPalClientTests } from "../../testing/paypal-client.ts";
import { eventually } from "../../testing/test-service.ts";
import { PaymentUnknownError } from "./payments.ts";

const { paypal, clock, open, payments, approvedOrder, takenOf } = await payPalClientTests();

const BEFORE = ["failing", "hanging up", "garbled", "silent", "too many requests"] as const;
const AFTER = ["failing after", "hanging up after", "garbled after", "silent after"] as const;

test.each([...BEFORE, ...AFTER])(
  "reports an unknown result when a capture meets %s, and captures once with the same request id",
  async (fault) => {
    const impatient = open({ timeoutMs: 300 });
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
  const impatient = open({ timeoutMs: 300 });
  const order = newOrder();
  await paypal.injectFault({ call: "create order", fault: fault, of: order.orderId });

  await expect(impatient.createOrder(order)).rejects.toThrow(PaymentUnknownError);
  // PayPal returns 409 while it still works on the first request.
  const created = await eventually(() => payments.createOrder(order));
  expect(created).toMatchObject({ approveUrl: expect.any(String) });
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

test("shares one token until shortly before its end and renews a revoked one", async () => {
  const before = await paypal.requestCount("token");
  const tokens = async () => (await paypal.requestCount("token")) - before;
  const client = open();
  const show = () => client.showOrder("NOBODYS");

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
  const unauthorized = open({ account: { clientSecret: "not-the-secret" } });

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
  const at = (apiUrl: string) => open({ account: { apiUrl } });

  await expect(at(`http://127.0.0.1:${port}`).showOrder("A")).rejects.toThrow(PaymentUnknownError);
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  await expect(at(`http://127.0.0.1:${port}`).showOrder("A")).rejects.toThrow(PaymentUnknownError);
});
