import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startPayPal } from "@alcove/test-services/paypal";
import { PaymentUnknownError } from "../../integrations/paypal/payments.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";

const order = (origin: string) => ({
  requestId: randomUUID(),
  orderId: randomUUID(),
  currency: "JPY" as const,
  amount: 1_500,
  returnUrl: `${origin}/ja/upgrade-account?order=1`,
  cancelUrl: `${origin}/ja/upgrade-account`,
});

const choose = (url: string, choice: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ choice }), redirect: "manual" });

test("serves the pages of the PayPal sandbox below its own URL", async () => {
  const sandbox = await startPayPal();
  onTestFinished(() => sandbox.close());
  const service = await serviceForTest({ config: { paypal: sandbox.account, isPayPalSandbox: true } });
  await sandbox.setPublicUrl(`${service.url}/sandbox/paypal`);
  const created = order(service.url);

  const { approveUrl, paypalOrderId } = await service.ctx.payments!.createOrder(created);

  expect(approveUrl).toBe(`${service.url}/sandbox/paypal/checkoutnow?token=${paypalOrderId}`);
  const page = await fetch(approveUrl);
  const html = await page.text();
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(html).toMatch(/sandbox.*1500 JPY/s);
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  expect(action).toBe(approveUrl);

  const cancelled = await choose(action, "cancel");
  expect(cancelled.headers.get("location")).toBe(`${created.cancelUrl}?token=${paypalOrderId}`);
  const approved = await choose(action, "approve");
  expect(approved.status).toBe(303);
  const back = new URL(approved.headers.get("location")!);
  expect(`${back.origin}${back.pathname}`).toBe(`${service.url}/ja/upgrade-account`);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    order: "1",
    token: paypalOrderId,
    PayerID: expect.stringMatching(/^\w{13}$/),
  });
});

test.each([
  ["two slashes", "//"],
  ["slash and backslash", "/\\"],
  ["an encoded slash", "/%2F"],
  ["dots and two slashes", "/x/..//"],
])("forwards to the sandbox only, when the path has %s", async (_, start) => {
  const sandbox = await startPayPal();
  onTestFinished(() => sandbox.close());
  const service = await serviceForTest({ config: { paypal: sandbox.account, isPayPalSandbox: true } });
  const paths: string[] = [];
  const internal = createServer((request, response) => {
    paths.push(request.url!);
    response.end("secret");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void internal.close());
  await once(internal, "listening");
  const { port } = internal.address() as AddressInfo;

  // `fetch` would shorten the path.
  const path = `/sandbox/paypal${start}127.0.0.1:${port}/secret`;
  const { hostname, port: ownPort } = new URL(service.url);
  const sent = get({ hostname, port: ownPort, path });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();

  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(paths).toEqual([]);
});

test("requires the sandbox's secret for its API", async () => {
  const sandbox = await startPayPal();
  onTestFinished(() => sandbox.close());
  const service = await serviceForTest({ config: { paypal: sandbox.account, isPayPalSandbox: true } });
  const { paypalOrderId } = await service.ctx.payments!.createOrder(order(service.url));

  const response = await service.fetch(`/sandbox/paypal/v2/checkout/orders/${paypalOrderId}`);

  expect(response.status).toBe(401);
});

test("reports an unknown result when the sandbox has ended", async () => {
  const sandbox = await startPayPal();
  onTestFinished(() => sandbox.close());
  const service = await serviceForTest({ config: { paypal: sandbox.account, isPayPalSandbox: true } });
  const { paypalOrderId } = await service.ctx.payments!.createOrder(order(service.url));

  await sandbox.kill();

  await expect(service.ctx.payments!.showOrder(paypalOrderId)).rejects.toThrow(PaymentUnknownError);
  expect((await service.fetch("/sandbox/paypal/checkoutnow?token=A")).status).toBe(503);
});

test("serves no sandbox pages when PayPal is real", async () => {
  const paypal = { apiUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b", webhookId: null };
  const service = await serviceForTest({ config: { paypal } });

  expect((await service.fetch("/sandbox/paypal/checkoutnow?token=A")).status).toBe(404);
});
