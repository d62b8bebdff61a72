import { afterAll, expect, onTestFinished, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getOrders, getReceipt, previewWithdrawal, withdraw } from "@alcove/contract/membership";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { languages } from "@alcove/i18n";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { translator } from "../platform/i18n.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { balanceOf, referralTests } from "../testing/referral.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";
import { grantMembership } from "./memberships.ts";
import { reconcileOrders } from "./reconcile-orders.ts";

const { paypal, buy, shop, deliverAll, hanakoWhoInvitedTaro } = await referralTests();
const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const IN_GERMANY = { year: 1, country: "DE", startAtOnce: true } as const;
const PAID_AT = "2027-01-10T12:00:00.000Z";

const givenBack = async (orderId: string) =>
  (await paypal.ledger())
    .filter(({ kind, reference }) => kind === "given back" && reference === orderId)
    .map(({ units }) => units);
const userOf = async (member: TestMember) => (await member.call(getOwnUser, {})).user;
const ordersOf = async (member: TestMember) => (await member.call(getOrders, {})).orders;

/** A member whose login outlives the passing days. */
async function later(service: TestService, member: TestMember, ms: number): Promise<TestMember> {
  service.clock.advance(ms);
  return logInAgain(service, member);
}

test("pays a German buyer the unused days once, and reverses the fee by that share", async () => {
  const service = await shop({ smtpUrl: mailbox.url });
  service.clock.set(PAID_AT);
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  const { order_id, order } = await buy(taro, IN_GERMANY);
  expect(order).toMatchObject({
    kind: "paypal",
    number: expect.stringMatching(/^2027-\d{6}$/),
    withdraw_until: "2027-01-27T23:00:00.000Z",
    withdrawn_at: null,
  });
  const second = await testService({ beside: service, config: service.ctx.config });

  const buyer = await later(service, taro, 4 * DAY_MS + HOUR_MS);
  const preview = await buyer.call(previewWithdrawal, { order_id });
  const there = second.memberAt(buyer);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? there : buyer).call(withdraw, { order_id })),
  );
  const again = await buyer.call(withdraw, { order_id });

  // 80 USD x 360 / 365 = 78.904…
  expect(preview.refund.amount).toBe(78.91);
  expect(await givenBack(order_id)).toEqual([7_891]);
  expect(again).toMatchObject({
    refund: { amount: 78.91, currency: "USD", state: "done" },
    order: { id: order_id, status: "partly_refunded", withdrawn_at: "2027-01-14T13:00:00.000Z" },
    user: { status: "free", paid_account_expired_at: null },
  });
  for (const { refund } of responses) expect(refund).toMatchObject({ amount: 78.91, currency: "USD" });
  // 1.09 of 80 USD stays: 20 % of it, rounded down.
  const earner = await logInAgain(service, hanako);
  expect(await balanceOf(earner)).toEqual({ available: 0.21, received: 0 });

  await deliverAll(service, "REFUNDED");
  await reconcileOrders(service.ctx, { isAll: true });
  expect(await buyer.call(withdraw, { order_id })).toEqual(again);
  expect(await balanceOf(earner)).toEqual({ available: 0.21, received: 0 });
  const email = await mailbox.waitForEmail("taro@example.com");
  expect(email.text).toContain("2027");
});

test("counts a begun period of 24 hours as a used day, and later orders move forward", async () => {
  const service = await shop();
  service.clock.set("2028-01-01T00:00:00Z");
  let taro = await service.member("taro", { at: null });
  const first = await buy(taro, IN_GERMANY);
  const second = await buy(taro, { ...IN_GERMANY, year: 0, month: 1 });
  expect(second.user.paid_account_expired_at).toBe("2029-02-01T00:00:00.000Z");

  // 2028 has 366 days; at the end of a period the next one has not begun.
  taro = await later(service, taro, 2 * DAY_MS);
  expect((await taro.call(previewWithdrawal, { order_id: first.order_id })).refund.amount).toBe(79.57);
  service.clock.advance(1);
  expect((await taro.call(previewWithdrawal, { order_id: first.order_id })).refund.amount).toBe(79.35);
  expect((await taro.call(previewWithdrawal, { order_id: second.order_id })).refund.amount).toBe(10);
  const { user } = await taro.call(withdraw, { order_id: first.order_id });
  expect(user.paid_account_expired_at).toBe("2028-02-03T00:00:00.001Z");

  // The second order began at the withdrawal: 31 days, of which two are used.
  service.clock.advance(DAY_MS + 1);
  taro = await logInAgain(service, taro);
  const { refund, user: free } = await taro.call(withdraw, { order_id: second.order_id });
  expect([refund.amount, free.status]).toEqual([9.36, "free"]);
});

test("pays the whole price back in California, in Taiwan, and where the buyer did not ask to start at once", async () => {
  const service = await shop();
  service.clock.set(PAID_AT);
  for (const [name, plan, sum] of [
    ["california", { year: 1, country: "US-CA", startAtOnce: true }, 80],
    ["taiwan", { year: 1, country: "TW", currency: "TWD", startAtOnce: true }, 2_500],
    ["germany", { year: 1, country: "DE" }, 80],
    ["unknown", { year: 1 }, 80],
  ] as const) {
    const member = await service.member(name, { at: null });
    const { order_id } = await buy(member, plan);
    service.clock.advance(MINUTE_MS);
    const { refund, order } = await member.call(withdraw, { order_id });
    expect([name, refund.amount, refund.state, order.status]).toEqual([name, sum, "done", "refunded"]);
  }
});

test("ends with the last day of the period in the country's time, and grants no right elsewhere", async () => {
  const service = await shop();
  service.clock.set(PAID_AT);
  let taro = await service.member("taro", { at: null });
  const untils = new Map<string, string | null>();
  const ids = new Map<string, string>();
  for (const country of ["DE", "GB", "TW", "US-CA", "US", "US-TX", "JP"]) {
    const { order } = await buy(taro, { month: 1, country });
    untils.set(country, order.withdraw_until);
    ids.set(country, order.id);
  }
  expect(Object.fromEntries(untils)).toEqual({
    DE: "2027-01-27T23:00:00.000Z",
    GB: "2027-01-28T00:00:00.000Z",
    TW: "2027-01-20T16:00:00.000Z",
    "US-CA": "2027-01-17T08:00:00.000Z",
    US: null,
    "US-TX": null,
    JP: null,
  });
  const german = ids.get("DE")!;
  await expectError(taro.call(withdraw, { order_id: ids.get("JP")! }), "not_withdrawable");

  service.clock.set(untils.get("DE")!);
  taro = await logInAgain(service, taro);
  expect((await taro.call(previewWithdrawal, { order_id: german })).refund.amount).toBe(10);
  service.clock.advance(1);
  expect((await expectError(taro.call(withdraw, { order_id: german }), "withdrawal_over")).status).toBe(422);
  expect(await givenBack(german)).toEqual([]);
});

test("lets the payer's country decide where it differs from the chosen one", async () => {
  const service = await shop();
  service.clock.set(PAID_AT);
  const taro = await service.member("taro", { at: null });
  const untilFor = async (country: string | undefined, payerCountry: string) => {
    const { order, order_id } = await buy(taro, { month: 1, payerCountry, ...(country && { country }) });
    const { receipt } = await taro.call(getReceipt, { order_id });
    return [receipt.country, order.withdraw_until];
  };

  expect(await untilFor("US-CA", "US")).toEqual(["US-CA", "2027-01-17T08:00:00.000Z"]);
  expect(await untilFor("US-CA", "DE")).toEqual(["DE", "2027-01-27T23:00:00.000Z"]);
  expect(await untilFor(undefined, "TW")).toEqual(["TW", "2027-01-20T16:00:00.000Z"]);
  expect(await untilFor("DE", "JP")).toEqual(["JP", null]);
});

test("returns the same for orders of others and unknown ones, and rejects refunded ones", async () => {
  const service = await shop();
  const [taro, jiro] = [
    await service.member("taro", { at: null }),
    await service.member("jiro", { at: null }),
  ];
  const { order_id } = await buy(taro, IN_GERMANY);
  const unknown = "01900000-0000-7000-8000-000000000000";

  const others = await expectError(jiro.call(withdraw, { order_id }), "order_not_found");
  const none = await expectError(jiro.call(withdraw, { order_id: unknown }), "order_not_found");
  expect(others).toEqual(none);
  await paypal.refund((await buy(jiro)).capture_id);
  await deliverAll(service, "REFUNDED");
  const [refunded] = await ordersOf(jiro);
  expect(refunded).toMatchObject({ status: "refunded", withdraw_until: null });
  await expectError(jiro.call(withdraw, { order_id: refunded!.id }), "not_withdrawable");
});

test("waits while PayPal is down and refunds once afterwards, also if its first response was lost", async () => {
  const service = await shop();
  for (const [name, fault] of [
    ["never-arrived", "failing"],
    ["response-lost", "failing after"],
  ] as const) {
    const taro = await service.member(name, { at: null });
    const { order_id, capture_id } = await buy(taro, IN_GERMANY);
    await paypal.injectFault({ call: "refund", fault, of: capture_id });

    const { refund, user } = await taro.call(withdraw, { order_id });
    expect([refund.state, user.status]).toEqual(["pending", "free"]);
    // PayPal has forgotten the request, so that only its state shows the refund.
    await paypal.expireRequestIds();
    service.clock.advance(3 * MINUTE_MS);
    await reconcileOrders(service.ctx);

    const [order] = await ordersOf(taro);
    expect(order).toMatchObject({ id: order_id, withdrawn_at: expect.any(String) });
    expect((await taro.call(withdraw, { order_id })).refund).toEqual({ ...refund, state: "done" });
    expect(await givenBack(order_id)).toEqual([8_000]);
  }
});

test("refunds after the member has left, and still sends the credit note", async () => {
  const service = await shop({ smtpUrl: mailbox.url });
  const taro = await service.member("leaves", { at: null });
  const { order_id, capture_id } = await buy(taro, IN_GERMANY);
  await mailbox.waitForEmail("leaves@example.com"); // the receipt
  await paypal.injectFault({ call: "refund", fault: "failing", of: capture_id });
  await taro.call(withdraw, { order_id });
  await taro.call(deleteAccount, {});

  service.clock.advance(HOUR_MS);
  await reconcileOrders(service.ctx);

  expect(await givenBack(order_id)).toEqual([8_000]);
  const [closed] = await service.db.selectFrom("closed_orders").selectAll().execute();
  expect(closed).toMatchObject({ country: "DE", tax: 0.19, state: "refunded", withdrawal_state: "done" });
  await eventually(() => expect(mailbox.emails("leaves@example.com")).toHaveLength(2));
});

test("writes receipt and credit note with net, tax, total and the seller in four languages, neutrally", async () => {
  // Without an address, an example stands in its place on loopback.
  const operator = { name: "Quiet KK", address: null, taxId: "T123" };
  const service = await shop({
    smtpUrl: mailbox.url,
    operator: { phone: null, register: null, representative: null, ...operator },
  });
  service.clock.set(PAID_AT);
  for (const language of languages) {
    const name = `receipt-${language}`;
    const member = await service.member(name, { at: null });
    await service.db
      .updateTable("members")
      .set({ language })
      .where("member_no", "=", member.memberId)
      .execute();
    const { order_id, order } = await buy(member, IN_GERMANY);
    const receipt = await mailbox.waitForEmail(`${name}@example.com`);
    for (const text of [
      order.number!,
      "$67.23",
      "$12.77",
      "$80.00",
      "19",
      "T123",
      `Quiet KK, ${translator(language, "operator")("example")}`,
    ])
      expect(receipt.text).toContain(text);

    await member.call(withdraw, { order_id });
    const note = await eventually(() => {
      const [, second] = mailbox.emails(`${name}@example.com`);
      expect(second).toBeDefined();
      return second!;
    });
    for (const text of [`${order.number}-C`, "$80.00", "2027/01/10-12:00:00 (UTC)"])
      expect(note.text).toContain(text);
    expect(receipt.subject + note.subject + receipt.text + note.text).not.toMatch(
      /marri|dating|member|婚|交友/i,
    );
    expect((await member.call(getReceipt, { order_id })).receipt).toMatchObject({
      number: order.number,
      seller: { name: "Quiet KK", address: expect.stringMatching(/^Example/) as string, tax_number: "T123" },
      sum: { net: 67.23, tax: 12.77, total: 80 },
      tax_rate: 0.19,
      country: "DE",
      credit_note: { number: `${order.number}-C`, sum: { net: 67.23, tax: 12.77, total: 80 } },
    });
  }
});

test("gives unused days back in each country and at any time to a member who refuses new terms, but nothing for gifts", async () => {
  const service = await shop();
  service.clock.set(PAID_AT);
  let taro = await service.member("taro", { at: null });
  const { memberId } = taro;
  const first = await buy(taro, { year: 1, country: "JP" });
  const gift = { year: 0, month: 1, source: "operator", grantId: crypto.randomUUID() } as const;
  await grantMembership(service.ctx, memberId, gift);
  service.clock.advance(1_000);
  const second = await buy(taro, { year: 1, country: "US", currency: "JPY" });
  taro = await later(service, taro, 100 * DAY_MS - 1_000);
  await expectError(taro.call(withdraw, { order_id: first.order_id }), "not_withdrawable");

  const members = service.db.updateTable("members").where("member_no", "=", memberId);
  await members.set({ terms_version: "2020-01-01" }).execute();
  expect((await ordersOf(taro)).map(({ withdraw_until }) => withdraw_until)).toEqual([
    "2029-02-10T12:00:00.000Z",
    "2028-01-10T12:00:00.000Z",
  ]);
  const { refund } = await taro.call(withdraw, { order_id: first.order_id });
  const { refund: whole, user } = await taro.call(withdraw, { order_id: second.order_id });

  expect(refund).toEqual({ amount: 58.09, currency: "USD", state: "done" });
  expect(whole).toEqual({ amount: 12_000, currency: "JPY", state: "done" });
  // The gift began when the first purchase ended.
  expect(user.paid_account_expired_at).toBe("2027-05-20T12:00:00.000Z");
});

test(
  "refunds once when the server is killed between PayPal's refund and the commit",
  { tags: "long", timeout: 60_000 },
  async () => {
    const service = await shop();
    service.clock.set(new Date().toISOString());
    const taro = await service.member("taro", { at: null });
    const { order_id, capture_id } = await buy(taro, IN_GERMANY);
    const victim = await startServer({
      DATA_DIR: service.dataDir,
      DATABASE_URL: service.databaseUrl,
      FACE_DETECTION: "off",
      RATE_LIMITS: "off",
      ...paypal.variables,
    });
    onTestFinished(async () => void (await victim.stop("SIGKILL")));
    await paypal.injectFault({ call: "refund", fault: "waiting after", of: capture_id });
    const request = createClient(victim.url, taro.access).call(withdraw, { order_id });
    await Promise.all([
      expect(request).rejects.toThrow(),
      eventually(async () => expect(await paypal.heldCount()).toBe(1)).then(() => victim.stop("SIGKILL")),
    ]);
    await paypal.releaseHeld();

    expect((await taro.call(withdraw, { order_id })).refund.state).toBe("done");
    expect(await givenBack(order_id)).toHaveLength(1);
    expect((await userOf(taro)).status).toBe("free");
  },
);
