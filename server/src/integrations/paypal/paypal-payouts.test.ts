import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { payPalClientTests } from "../../testing/paypal-client.ts";
import { PaymentRejectedError, PaymentUnknownError } from "./payments.ts";

const { paypal, open, payments } = await payPalClientTests();

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
  const unauthorized = open({ account: { apiUrl: `http://127.0.0.1:${port}` } });

  const error = await unauthorized.createPayout(newPayout()).catch((thrown: unknown) => thrown);

  server.closeAllConnections();
  server.close();
  expect(error).toBeInstanceOf(PaymentUnknownError);
});
