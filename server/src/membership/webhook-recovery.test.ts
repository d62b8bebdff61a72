import { afterEach, expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { captureOrder, getOrders } from "@alcove/contract/membership";
import type { FakePayPal } from "@alcove/test-services/paypal";
import { DAY_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { buy, order, fakePayPalForFile } from "../testing/paypal.ts";
import { expectError, testService, type TestMember, type TestService } from "../testing/test-service.ts";

const { paypal, config } = await fakePayPalForFile();
afterEach(() => paypal.clearFaults());

const shop = () => serviceForTest({ config });
const userOf = async (member: TestMember) => (await member.call(getOwnUser, {})).user;
const statusOf = async (member: TestMember) => (await member.call(getOrders, {})).orders[0]!.status;
const hook = ({ url }: TestService) => new URL("/webhooks/paypal", url).href;
const takenEvents = ({ db }: TestService) => db.selectFrom("webhook_events").select("event_id").execute();

type Forgery = Parameters<FakePayPal["deliver"]>[2];

/** Delivers an order's events whose names end with `type`. Returns the statuses. */
async function deliver(service: TestService, orderId: string, kind: string, forgery?: Forgery) {
  const events = (await paypal.events()).filter(
    ({ event_type, reference, resourceId }) =>
      event_type.endsWith(kind) && (reference === orderId || resourceId === orderId),
  );
  expect(events.length).toBeGreaterThan(0);
  const statuses = [];
  for (const { id } of events) statuses.push(await paypal.deliver(id, hook(service), forgery));
  return statuses;
}

test("grants the membership once by webhook when the browser's capture is missing or its response is lost", async () => {
  const service = await shop();
  service.clock.set("2026-03-10T00:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);
  // The process died before the response.
  await paypal.injectFault({ call: "capture order", fault: "failing after", of: paypal_order_id });
  await paypal.injectFault({ call: "show order", fault: "failing", of: paypal_order_id });
  await expectError(hanako.call(captureOrder, { order_id }), "payments_unavailable");
  expect((await userOf(hanako)).status).toBe("free");

  expect(await deliver(service, order_id, "CAPTURE.COMPLETED")).toEqual([200]);
  expect((await userOf(hanako)).paid_account_expired_at).toBe("2026-04-10T00:00:00.000Z");

  // Repeated, late, all in parallel, and the browser's capture.
  await Promise.all([
    ...Array.from({ length: 10 }, () => deliver(service, order_id, "CAPTURE.COMPLETED")),
    ...Array.from({ length: 10 }, () => hanako.call(captureOrder, { order_id })),
  ]);
  expect((await userOf(hanako)).paid_account_expired_at).toBe("2026-04-10T00:00:00.000Z");
  expect(await takenEvents(service)).toHaveLength(1);
});

test.each(["body", "signature", "other webhook", "certificate", "no headers"] as const)(
  "rejects a webhook with a forged %s and changes nothing",
  async (forgery) => {
    const service = await shop();
    const hanako = await service.member("hanako", { at: null });
    const { order_id, capture_id } = await buy(paypal, hanako);
    await paypal.refund(capture_id);

    expect(await deliver(service, order_id, "REFUNDED", forgery)).toEqual([400]);

    expect((await userOf(hanako)).status).toBe("paid");
    expect(await takenEvents(service)).toEqual([]);
    expect(await deliver(service, order_id, "REFUNDED")).toEqual([200]);
    expect((await userOf(hanako)).status).toBe("free");
  },
);

test("rejects an invalid or oversized event and accepts an unknown event type", async () => {
  const service = await shop();
  const post = async (body: string, type = "application/json") =>
    (await service.fetch("/webhooks/paypal", { method: "POST", headers: { "content-type": type }, body }))
      .status;

  for (const body of [
    "",
    "{",
    "[]",
    "null",
    '"x"',
    '{"id":"a"}',
    '{"id":1,"event_type":"x","resource":{}}',
  ]) {
    expect(await post(body), body).toBe(400);
  }
  expect(await post("hello", "text/plain")).toBe(400);
  expect(await post(`{"id":"${"x".repeat(200_000)}"}`)).toBe(413);
  expect((await service.fetch("/en/webhooks/paypal", { method: "POST" })).status).toBe(404);
  expect(await takenEvents(service)).toEqual([]);
});

test("processes a repeated event after its first delivery failed", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id, capture_id } = await buy(paypal, hanako);
  await paypal.refund(capture_id);

  await paypal.injectFault({ call: "show order", fault: "failing", of: paypal_order_id });
  expect(await deliver(service, order_id, "REFUNDED")).toEqual([503]);
  await paypal.injectFault({ call: "verify webhook", fault: "hanging up" });
  expect(await deliver(service, order_id, "REFUNDED")).toEqual([503]);
  expect(await takenEvents(service)).toEqual([]);
  expect((await userOf(hanako)).status).toBe("paid");

  expect(await deliver(service, order_id, "REFUNDED")).toEqual([200]);
  expect((await userOf(hanako)).status).toBe("free");
  expect(await takenEvents(service)).toHaveLength(1);
});

test("returns not_found for webhooks without PayPal credentials", async () => {
  const service = await serviceForTest({ config: { paypal: null } });

  expect((await service.fetch("/webhooks/paypal", { method: "POST", body: "{}" })).status).toBe(404);
});

test("grants a pending payment when it completes", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);
  await paypal.injectFault({ call: "capture order", fault: "pending", of: paypal_order_id });

  const captured = await hanako.call(captureOrder, { order_id });
  const { id, status } = captured.paypal_order_data.purchase_units![0]!.payments.captures[0]!;
  expect(status).toBe("PENDING");
  expect(captured).toMatchObject({
    user: { status: "free" },
    order: { status: "pending", payment_successed_at: null },
  });
  expect((await hanako.call(captureOrder, { order_id })).order.status).toBe("pending");
  expect(await deliver(service, order_id, "PENDING")).toEqual([200]);

  await paypal.settle(id, "COMPLETED");
  // The older event arrives last.
  await deliver(service, order_id, "CAPTURE.COMPLETED");
  await deliver(service, order_id, "PENDING");
  expect(await userOf(hanako)).toMatchObject({ status: "paid" });
  expect(await statusOf(hanako)).toBe("completed");
});

test("grants nothing when the bank declines a pending payment", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);
  await paypal.injectFault({ call: "capture order", fault: "pending", of: paypal_order_id });
  const captured = await hanako.call(captureOrder, { order_id });
  await paypal.settle(captured.paypal_order_data.purchase_units![0]!.payments.captures[0]!.id, "DECLINED");

  expect(await deliver(service, order_id, "DENIED")).toEqual([200]);

  expect((await userOf(hanako)).status).toBe("free");
  expect(await hanako.call(getOrders, {})).toEqual({ orders: [], grants: [] });
  const again = await hanako.call(captureOrder, { order_id });
  expect(again.paypal_order_data.purchase_units![0]!.payments.captures[0]!.status).toBe("DECLINED");
});

test.each(["refund", "reverse"] as const)(
  "revokes the order's grant and no other after a %s",
  async (way) => {
    const service = await shop();
    service.clock.set("2026-01-01T00:00:00Z");
    let hanako = await service.member("hanako", { at: null });
    const first = await buy(paypal, hanako, { month: 2 });
    service.clock.set("2026-01-15T00:00:00Z");
    hanako = await logInAgain(service, hanako);
    await buy(paypal, hanako, { month: 3 });
    expect((await userOf(hanako)).paid_account_expired_at).toBe("2026-06-01T00:00:00.000Z");

    await paypal[way](first.capture_id);
    for (let i = 0; i < 3; i++)
      await deliver(service, first.order_id, way === "refund" ? "REFUNDED" : "REVERSED");

    // Three months from the day of the second order.
    expect((await userOf(hanako)).paid_account_expired_at).toBe("2026-04-15T00:00:00.000Z");
    expect((await hanako.call(getOrders, {})).orders.map(({ status }) => status)).toEqual([
      "completed",
      "refunded",
    ]);
    const again = await hanako.call(captureOrder, { order_id: first.order_id });
    expect(again.order.status).toBe("refunded");
  },
);

test("becomes free when all orders are refunded, in any sequence", async () => {
  const service = await shop();
  service.clock.set("2026-01-31T00:00:00Z");
  let hanako = await service.member("hanako", { at: null });
  const bought = [];
  for (const plan of [{ month: 1 }, { year: 1 }, { month: 5 }]) {
    bought.push(await buy(paypal, hanako, plan));
    service.clock.advance(3 * DAY_MS);
    hanako = await logInAgain(service, hanako);
  }

  for (const { order_id, capture_id } of [bought[1]!, bought[0]!, bought[2]!]) {
    expect((await userOf(hanako)).status).toBe("paid");
    await paypal.refund(capture_id);
    await deliver(service, order_id, "REFUNDED");
  }

  expect(await userOf(hanako)).toMatchObject({ status: "free", paid_account_expired_at: null });
  expect(await service.db.selectFrom("memberships").selectAll().execute()).toEqual([]);
});

test("revokes the unpaid months after a partial refund, but not started ones", async () => {
  const service = await shop();
  service.clock.set("2026-01-01T00:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  const { order_id, capture_id } = await buy(paypal, hanako, { year: 1 });

  await paypal.refund(capture_id, { currency_code: "USD", value: "0.50" });
  await deliver(service, order_id, "REFUNDED");
  expect(await statusOf(hanako)).toBe("partly_refunded");
  expect((await userOf(hanako)).paid_account_expired_at).toBe("2027-01-01T00:00:00.000Z");

  await paypal.refund(capture_id, { currency_code: "USD", value: "39.50" });
  // All events again, also in reverse.
  await deliver(service, order_id, "REFUNDED");
  await deliver(service, order_id, "COMPLETED");
  expect((await userOf(hanako)).paid_account_expired_at).toBe("2026-07-01T00:00:00.000Z");

  await paypal.refund(capture_id);
  await deliver(service, order_id, "REFUNDED");
  expect(await statusOf(hanako)).toBe("refunded");
  expect((await userOf(hanako)).status).toBe("free");
});

test("grants nothing when the refund arrives before the capture", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);
  await paypal.injectFault({ call: "capture order", fault: "failing after", of: paypal_order_id });
  await paypal.injectFault({ call: "show order", fault: "failing", of: paypal_order_id });
  await expectError(hanako.call(captureOrder, { order_id }), "payments_unavailable");
  const { purchase_units } = (await paypal.order(paypal_order_id)) as {
    purchase_units: [{ payments: { captures: [{ id: string }] } }];
  };
  await paypal.refund(purchase_units[0].payments.captures[0].id);

  expect(await deliver(service, order_id, "REFUNDED")).toEqual([200]);
  expect(await deliver(service, order_id, "CAPTURE.COMPLETED")).toEqual([200]);

  expect((await userOf(hanako)).status).toBe("free");
  expect(await statusOf(hanako)).toBe("refunded");
  const { order: captured } = await hanako.call(captureOrder, { order_id });
  expect(captured.status).toBe("refunded");
});

test("emits each payment once, and the remaining amount after each refund", async () => {
  const service = await shop();
  const { ctx } = service;
  const inviter = await service.member("inviter", { at: null });
  const hanako = await service.member("hanako", { at: null });
  await service.db
    .updateTable("members")
    .set({ invited_by: inviter.memberId })
    .where("member_no", "=", hanako.memberId)
    .execute();
  const second = await testService({ beside: service, config });
  const events: unknown[] = [];
  for (const { domainEvents } of [ctx, second.ctx]) {
    domainEvents.on("order_paid", async (_, what) => void events.push(["paid", what]));
    domainEvents.on("order_refunded", async (_, what) => void events.push(["back", what]));
  }

  const { order_id, capture_id } = await buy(paypal, hanako, { year: 1, currency: "JPY" });
  await paypal.refund(capture_id, { currency_code: "JPY", value: "9000" });
  await Promise.all([service, second, service, second].map((at) => deliver(at, order_id, "REFUNDED")));
  await paypal.reverse(capture_id);
  await deliver(second, order_id, "REVERSED");

  const who = {
    memberId: hanako.memberId,
    inviter: inviter.memberId,
    orderId: order_id,
    usdCents: 8_000,
    currency: "JPY",
  };
  const payer = {
    ids: [expect.stringMatching(/^\w{13}$/)],
    emails: [expect.stringMatching(/^buyer-.*@example\.com$/)],
  };
  expect(events).toEqual([
    ["paid", { ...who, amount: 12_000, country: null, payer }],
    ["back", { ...who, leftUsdCents: 2_000, amount: 9_000 }],
    ["back", { ...who, leftUsdCents: 0, amount: 3_000 }],
  ]);
});
