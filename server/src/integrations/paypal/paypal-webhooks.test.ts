import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { payPalClientTests } from "../../testing/paypal-client.ts";
import { PaymentUnknownError } from "./payments.ts";

const { paypal, open, payments, approvedOrder } = await payPalClientTests();

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
  const withoutWebhook = open({ account: { webhookId: null } });
  expect(await withoutWebhook.verifyWebhook(genuine)).toBe(false);
  await paypal.injectFault({ call: "verify webhook", fault: "failing" });
  await expect(payments.verifyWebhook(genuine)).rejects.toThrow(PaymentUnknownError);
  server.close();
});
