import { afterEach, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { captureOrder, getOrders } from "@alcove/contract/membership";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { buy, order, fakePayPalForFile } from "../testing/paypal.ts";
import { expectError, testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { reconcileOrders } from "./index.ts";
import { reconcileDueOrders } from "./reconcile-orders.ts";

const { paypal, config } = await fakePayPalForFile();
afterEach(() => paypal.clearFaults());

const shop = () => serviceForTest({ config });
const statusOf = async (service: TestService, member: TestMember) =>
  (await (await logInAgain(service, member)).call(getOwnUser, {})).user.status;

/** Simulates a process that died between its capture request and its commit. */
async function dieWhileCapturing(member: TestMember, made: { order_id: string; paypal_order_id: string }) {
  const of = made.paypal_order_id;
  await paypal.injectFault({ call: "capture order", fault: "failing after", of });
  await paypal.injectFault({ call: "show order", fault: "failing", of });
  await expectError(member.call(captureOrder, { order_id: made.order_id }), "payments_unavailable");
}

test("completes a capture whose process died before its commit", async () => {
  const service = await shop();
  const second = await testService({ beside: service, config });
  const members = await Promise.all(
    Array.from({ length: 5 }, (_, i) => service.member(`member${i}`, { at: null })),
  );
  for (const member of members) {
    const made = await order(member);
    await paypal.approve(made.paypal_order_id);
    await dieWhileCapturing(member, made);
  }

  // A request may still be running.
  await reconcileOrders(service.ctx);
  expect(await statusOf(service, members[0]!)).toBe("free");
  service.clock.advance(3 * MINUTE_MS);
  await Promise.all([service, second, service].map(({ ctx }) => reconcileOrders(ctx)));

  for (const member of members) expect(await statusOf(service, member)).toBe("paid");
  expect(await service.db.selectFrom("grants").selectAll().execute()).toHaveLength(5);
});

test("captures an approved order whose buyer did not return", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const approved = await order(hanako);
  await order(taro);
  await paypal.approve(approved.paypal_order_id);
  const event = (await paypal.events()).find(({ resourceId }) => resourceId === approved.paypal_order_id);
  expect(await paypal.deliver(event!.id, `${service.url}/webhooks/paypal`)).toBe(200);

  await reconcileOrders(service.ctx);
  expect(await statusOf(service, hanako)).toBe("free");
  service.clock.advance(4 * MINUTE_MS);
  await reconcileOrders(service.ctx);

  expect(await statusOf(service, hanako)).toBe("paid");
  expect(await statusOf(service, taro)).toBe("free");
});

test("captures in one run all orders that wait after an outage, however many", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  for (let i = 0; i < 5; i++) await paypal.approve((await order(hanako)).paypal_order_id);
  service.clock.advance(11 * MINUTE_MS);

  await reconcileDueOrders(service.ctx, { perBatch: 2 });

  expect(await service.db.selectFrom("grants").selectAll().execute()).toHaveLength(5);
});

test("does not retry a declined order", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id, true);
  await hanako.call(captureOrder, { order_id });

  service.clock.advance(HOUR_MS);
  await reconcileOrders(service.ctx);

  expect(await statusOf(service, hanako)).toBe("free");
});

test("deletes an unpaid order after a week, also if PayPal no longer knows it", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const [known, forgotten] = [await order(hanako), await order(hanako)];
  await paypal.expireOrder(forgotten.paypal_order_id);

  service.clock.advance(6 * DAY_MS);
  await reconcileOrders(service.ctx);
  expect(await service.db.selectFrom("orders").select("order_id").execute()).toHaveLength(2);
  service.clock.advance(2 * DAY_MS);
  await reconcileOrders(service.ctx);

  expect(await service.db.selectFrom("orders").select("order_id").execute()).toEqual([]);
  expect(await service.db.selectFrom("paypal_refs").selectAll().execute()).toEqual([]);
  const again = await logInAgain(service, hanako);
  await expectError(again.call(captureOrder, { order_id: known.order_id }), "order_not_found");
});

test("finds a refund without a webhook", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const [hers, his] = [await buy(paypal, hanako), await buy(paypal, taro)];
  await paypal.refund(hers.capture_id);

  await reconcileOrders(service.ctx);
  expect(await statusOf(service, hanako)).toBe("paid");
  service.clock.advance(DAY_MS + MINUTE_MS);
  await reconcileOrders(service.ctx);

  expect(await statusOf(service, hanako)).toBe("free");
  expect(await statusOf(service, taro)).toBe("paid");
  expect(his.order.status).toBe("completed");
});

test("polls the other orders when PayPal does not respond for one", async () => {
  const service = await shop();
  const members = [];
  for (const name of ["hanako", "taro"]) {
    const member = await service.member(name, { at: null });
    const made = await order(member);
    await paypal.approve(made.paypal_order_id);
    await dieWhileCapturing(member, made);
    members.push({ member, ...made });
  }
  const of = members[0]!.paypal_order_id;
  await paypal.injectFault({ call: "show order", fault: "failing", of });

  service.clock.advance(5 * MINUTE_MS);
  expect(await reconcileOrders(service.ctx)).toEqual({ polled: 2, failed: 1 });
  expect(await reconcileOrders(service.ctx)).toEqual({ polled: 0, failed: 0 });
  expect(await statusOf(service, members[1]!.member)).toBe("paid");
  service.clock.advance(HOUR_MS);
  await reconcileOrders(service.ctx);

  expect(await statusOf(service, members[0]!.member)).toBe("paid");
});

test("archives the orders of a deleted member under random keys, where refunds still count", async () => {
  const service = await shop();
  const { db, ctx } = service;
  const hanako = await service.member("hanako", { at: null });
  const kept = await buy(paypal, hanako, { year: 1 });
  await order(hanako);
  const events: unknown[] = [];
  ctx.domainEvents.on("order_archived", async (_, what) => void events.push(what));
  ctx.domainEvents.on("order_refunded", async (_, what) => void events.push(what));

  await hanako.call(deleteAccount, {});

  const books = await db.selectFrom("closed_orders").selectAll().execute();
  const archiveId = books[0]!.archive_id;
  expect(books).toMatchObject([{ year: 1, price: 80, currency: "USD", state: "completed", refunded: 0 }]);
  expect(JSON.stringify(books)).not.toContain(kept.order_id);
  expect(await db.selectFrom("orders").selectAll().execute()).toEqual([]);
  const refs = await db.selectFrom("paypal_refs").select(["kind", "member_no", "order_id"]).execute();
  expect(refs).toEqual(
    expect.arrayContaining([
      { kind: "order", member_no: null, order_id: archiveId },
      { kind: "capture", member_no: null, order_id: archiveId },
    ]),
  );
  expect(refs).toHaveLength(2);

  await paypal.reverse(kept.capture_id);
  const event = (await paypal.events()).findLast(({ event_type }) => event_type.endsWith("REVERSED"));
  expect(await paypal.deliver(event!.id, `${service.url}/webhooks/paypal`)).toBe(200);
  expect(await db.selectFrom("closed_orders").select(["state", "refunded"]).execute()).toEqual([
    { state: "refunded", refunded: 8_000 },
  ]);
  expect(events).toEqual([
    { memberId: hanako.memberId, orderId: kept.order_id, archiveId },
    {
      memberId: null,
      inviter: null,
      orderId: archiveId,
      usdCents: 8_000,
      leftUsdCents: 0,
      currency: "USD",
      amount: 8_000,
    },
  ]);
});

test("archives a payment that is captured while its member is deleted, without a grant", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const made = await order(hanako);
  await paypal.approve(made.paypal_order_id);
  await dieWhileCapturing(hanako, made);
  await hanako.call(deleteAccount, {});

  service.clock.advance(2 * DAY_MS);
  await reconcileOrders(service.ctx);

  const books = await service.db.selectFrom("closed_orders").select(["state", "paid_on"]).execute();
  expect(books).toMatchObject([{ state: "completed" }]);
  expect(await service.db.selectFrom("grants").selectAll().execute()).toEqual([]);
});

test("becomes free when the membership expires", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  await buy(paypal, hanako);

  service.clock.advance(32 * DAY_MS);

  expect(await statusOf(service, hanako)).toBe("free");
  expect((await (await logInAgain(service, hanako)).call(getOrders, {})).orders).toHaveLength(1);
});
