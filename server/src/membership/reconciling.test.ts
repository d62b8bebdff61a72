import { afterEach, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { captureOrder, getOrders } from "@alcove/contract/membership";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { comeBack } from "../testing/log-in-again.ts";
import { serviceOfTest } from "../testing/match.ts";
import { buy, order, paypalOfFile } from "../testing/paypal.ts";
import { refused, testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { reconcile } from "./index.ts";

const { paypal, config } = await paypalOfFile();
afterEach(() => paypal.calmDown());

const shop = () => serviceOfTest({ config });
const statusOf = async (service: TestService, member: TestMember) =>
  (await (await comeBack(service, member)).ask(getOwnUser, {})).user.status;

/** A process that asked for the money and died before it heard the answer, or before it could keep it. */
async function dieWhileCapturing(member: TestMember, made: { order_id: string; paypal_order_id: string }) {
  const of = made.paypal_order_id;
  await paypal.wish({ call: "capture order", mood: "failing after", of });
  await paypal.wish({ call: "show order", mood: "failing", of });
  await refused(member.ask(captureOrder, { order_id: made.order_id }), "payments_unavailable");
}

test("what was left between PayPal's answer and our commit is healed by the job, by whichever process does it", async () => {
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

  // Whoever asks now may still hear of it.
  await reconcile(service.ctx);
  expect(await statusOf(service, members[0]!)).toBe("free");
  service.clock.advance(3 * MINUTE_MS);
  await Promise.all([service, second, service].map(({ ctx }) => reconcile(ctx)));

  for (const member of members) expect(await statusOf(service, member)).toBe("paid");
  expect(await service.db.selectFrom("grants").selectAll().execute()).toHaveLength(5);
});

test("an order that was approved, and whose buyer never came back, is captured by the job", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const approved = await order(hanako);
  await order(taro);
  await paypal.approve(approved.paypal_order_id);
  const event = (await paypal.events()).find(({ resourceId }) => resourceId === approved.paypal_order_id);
  expect(await paypal.deliver(event!.id, `${service.url}/webhooks/paypal`)).toBe(200);

  await reconcile(service.ctx);
  expect(await statusOf(service, hanako)).toBe("free");
  service.clock.advance(4 * MINUTE_MS);
  await reconcile(service.ctx);

  expect(await statusOf(service, hanako)).toBe("paid");
  expect(await statusOf(service, taro)).toBe("free");
});

test("a declined order is not tried again behind its buyer's back", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id, true);
  await hanako.ask(captureOrder, { order_id });

  service.clock.advance(HOUR_MS);
  await reconcile(service.ctx);

  expect(await statusOf(service, hanako)).toBe("free");
});

test("an order that nobody pays is forgotten after a week, whether PayPal still knows it or not", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const [known, forgotten] = [await order(hanako), await order(hanako)];
  await paypal.forget(forgotten.paypal_order_id);

  service.clock.advance(6 * DAY_MS);
  await reconcile(service.ctx);
  expect(await service.db.selectFrom("orders").select("order_id").execute()).toHaveLength(2);
  service.clock.advance(2 * DAY_MS);
  await reconcile(service.ctx);

  expect(await service.db.selectFrom("orders").select("order_id").execute()).toEqual([]);
  expect(await service.db.selectFrom("paypal_refs").selectAll().execute()).toEqual([]);
  const again = await comeBack(service, hanako);
  await refused(again.ask(captureOrder, { order_id: known.order_id }), "order_not_found");
});

test("a refund that no webhook told of is found", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const [hers, his] = [await buy(paypal, hanako), await buy(paypal, taro)];
  await paypal.refund(hers.capture_id);

  await reconcile(service.ctx);
  expect(await statusOf(service, hanako)).toBe("paid");
  service.clock.advance(DAY_MS + MINUTE_MS);
  await reconcile(service.ctx);

  expect(await statusOf(service, hanako)).toBe("free");
  expect(await statusOf(service, taro)).toBe("paid");
  expect(his.order.status).toBe("completed");
});

test("one order that PayPal says nothing about keeps no other from its turn", async () => {
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
  await paypal.wish({ call: "show order", mood: "failing", of });

  service.clock.advance(5 * MINUTE_MS);
  expect(await reconcile(service.ctx)).toEqual({ looked: 2, failed: 1 });
  expect(await reconcile(service.ctx)).toEqual({ looked: 0, failed: 0 });
  expect(await statusOf(service, members[1]!.member)).toBe("paid");
  service.clock.advance(HOUR_MS);
  await reconcile(service.ctx);

  expect(await statusOf(service, members[0]!.member)).toBe("paid");
});

test("the orders of a member who leaves stay in the books under keys that lead to nobody, and are still given back", async () => {
  const service = await shop();
  const { db, ctx } = service;
  const hanako = await service.member("hanako", { at: null });
  const kept = await buy(paypal, hanako, { year: 1 });
  await order(hanako);
  const heard: unknown[] = [];
  ctx.domainEvents.on("order_closed", async (_, what) => void heard.push(what));
  ctx.domainEvents.on("order_taken_back", async (_, what) => void heard.push(what));

  await hanako.ask(deleteAccount, {});

  const books = await db.selectFrom("closed_orders").selectAll().execute();
  const bookId = books[0]!.book_id;
  expect(books).toMatchObject([{ year: 1, price: 80, currency: "USD", state: "completed", refunded: 0 }]);
  expect(JSON.stringify(books)).not.toContain(kept.order_id);
  expect(await db.selectFrom("orders").selectAll().execute()).toEqual([]);
  const refs = await db.selectFrom("paypal_refs").select(["kind", "member_no", "order_id"]).execute();
  expect(refs).toEqual(
    expect.arrayContaining([
      { kind: "order", member_no: null, order_id: bookId },
      { kind: "capture", member_no: null, order_id: bookId },
    ]),
  );
  expect(refs).toHaveLength(2);

  await paypal.reverse(kept.capture_id);
  const event = (await paypal.events()).findLast(({ event_type }) => event_type.endsWith("REVERSED"));
  expect(await paypal.deliver(event!.id, `${service.url}/webhooks/paypal`)).toBe(200);
  expect(await db.selectFrom("closed_orders").select(["state", "refunded"]).execute()).toEqual([
    { state: "refunded", refunded: 8_000 },
  ]);
  expect(heard).toEqual([
    { memberId: hanako.memberId, orderId: kept.order_id, bookId },
    { memberId: null, inviter: null, orderId: bookId, usdCents: 8_000, leftUsdCents: 0 },
  ]);
});

test("money that is taken while its member leaves is in the books, and given to nobody", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const made = await order(hanako);
  await paypal.approve(made.paypal_order_id);
  await dieWhileCapturing(hanako, made);
  await hanako.ask(deleteAccount, {});

  service.clock.advance(2 * DAY_MS);
  await reconcile(service.ctx);

  const books = await service.db.selectFrom("closed_orders").select(["state", "paid_on"]).execute();
  expect(books).toMatchObject([{ state: "completed" }]);
  expect(await service.db.selectFrom("grants").selectAll().execute()).toEqual([]);
});

test("a paid account is free again when its time is over, without anybody asking", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  await buy(paypal, hanako);

  service.clock.advance(32 * DAY_MS);

  expect(await statusOf(service, hanako)).toBe("free");
  expect((await (await comeBack(service, hanako)).ask(getOrders, {})).orders).toHaveLength(1);
});
