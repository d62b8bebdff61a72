import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { getBrokerageFee, getTransfers, transferBrokerage } from "@alcove/contract/referral";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/match.ts";
import { buy as buyOf, fakePayPalForFile } from "../testing/paypal.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";
import { reconcileTransfers } from "./reconcile-transfers.ts";

const { paypal, config } = await fakePayPalForFile();
afterEach(() => paypal.clearFaults());

const email = "payee@example.com";
const shop = () => serviceForTest({ config });

const buy = (member: TestMember, plan: Parameters<typeof buyOf>[2]) => buyOf(paypal, member, plan);

/** Hanako invited Taro, who bought years; USD 16 of each are hers. */
async function hanakoWhoInvitedTaro(service: TestService, year = 0) {
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  const bought = year > 0 ? await buy(taro, { year }) : null;
  return { hanako, taro, bought };
}

const balanceOf = (member: TestMember) => member.call(getBrokerageFee, {});
const statesOf = async (member: TestMember) =>
  (await member.call(getTransfers, {})).transfers.map(({ status, amount }) => [status, amount]);
const paidOut = async () => {
  const cents = { "paid out": 1, "came back": -1, taken: 0, "given back": 0 };
  return (await paypal.ledger()).reduce((sum, { kind, units }) => sum + cents[kind] * units, 0);
};
/** Advances the clock and runs the job; the member logs in again. */
async function later(service: TestService, ms: number, member: TestMember) {
  service.clock.advance(ms);
  await reconcileTransfers(service.ctx);
  return logInAgain(service, member);
}
const webhooks = ({ url }: TestService) => `${url}/webhooks/paypal`;
async function tellAll(service: TestService, of: string, forgery?: "signature") {
  for (const { id, event_type } of await paypal.events())
    if (event_type.includes(of)) await paypal.deliver(id, webhooks(service), forgery);
}

test.each([
  ["USD", { year: 1, month: 1 }, 18],
  ["JPY", { year: 0, month: 1 }, 2],
  ["TWD", { year: 2, month: 3 }, 38],
] as const)("records a fee of a fifth of the USD price for a purchase in %s", async (currency, plan, fee) => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });

  await buy(taro, { ...plan, currency });

  expect(await balanceOf(hanako)).toEqual({ available: fee, received: 0 });
  expect(await balanceOf(taro)).toEqual({ available: 0, received: 0 });
});

test("records a fee for each purchase at the inviter's current percentage, rounded down to cents", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service, 1);
  await service.db
    .updateTable("members")
    .set({ brokerage_percentage: 7 })
    .where("member_no", "=", hanako.memberId)
    .execute();

  await buy(taro, { month: 1 });
  expect(await balanceOf(hanako)).toEqual({ available: 16.7, received: 0 });
  await service.db.updateTable("members").set({ brokerage_percentage: 0 }).execute();
  await buy(taro, { month: 1 });

  expect(await balanceOf(hanako)).toEqual({ available: 16.7, received: 0 });
});

test("records one fee when many captures of an order run in parallel at two processes", async () => {
  const service = await shop();
  const second = await testService({ beside: service, config });
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  const wish = { currency: "USD", price: 80, year: 1, month: 0 } as const;
  const { order_id, paypal_order_id } = await taro.call(createOrder, wish);
  await paypal.approve(paypal_order_id);

  const there = second.meet(taro);
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? there : taro).call(captureOrder, { order_id })),
  );

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
});

test("records no fee without an inviter or for a deleted inviter", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  await buy(hanako, { year: 1 });
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });

  await hanako.call(deleteAccount, {});
  await buy(taro, { year: 1 });

  expect((await taro.call(getOwnUser, {})).user.status).toBe("paid");
  expect(await service.db.selectFrom("ledger_entries").selectAll().execute()).toEqual([]);
});

test("allows neither self-invitation nor a circle of invitations", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  const self = service.db
    .updateTable("members")
    .set({ invited_by: hanako.memberId })
    .where("member_no", "=", hanako.memberId);
  await expect(self.execute()).rejects.toThrow("members_not_self_invited");

  await hanako.call(deleteAccount, {});
  const again = await service.member("hanako", { at: null, invitedBy: taro.memberId });
  await buy(taro, { year: 1 });
  await buy(again, { year: 1 });

  expect(await balanceOf(again)).toEqual({ available: 0, received: 0 });
  expect(await balanceOf(taro)).toEqual({ available: 16, received: 0 });
});

test("keeps a suspended inviter's fee out of reach", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  await suspendMember(service.ctx, hanako.memberId);

  await buy(taro, { year: 1 });

  const entries = await service.db.selectFrom("ledger_entries").select("usd_cents").execute();
  expect(entries).toEqual([{ usd_cents: 1_600 }]);
  await expectError(hanako.call(transferBrokerage, { email, price: 16 }), "account_suspended");
});

test("reverses the refunded share of a fee, and the rest after a chargeback, with repeated webhooks", async () => {
  const service = await shop();
  const { hanako, bought } = await hanakoWhoInvitedTaro(service, 1);

  await paypal.refund(bought!.capture_id, { currency_code: "USD", value: "33.33" });
  await tellAll(service, "REFUNDED");
  await tellAll(service, "REFUNDED");
  // USD 46.67 remain paid; a fifth is 9.33.
  expect(await balanceOf(hanako)).toEqual({ available: 9.33, received: 0 });
  await paypal.reverse(bought!.capture_id);
  await tellAll(service, "REVERSED");
  await tellAll(service, "REFUNDED");

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("reverses a fee after the buyer's deletion", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await taro.call(deleteAccount, {});
  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });

  await paypal.refund(bought!.capture_id);
  await tellAll(service, "REFUNDED");

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("makes the balance negative after a transfer and a refund, until later fees", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email, price: 16 });

  await paypal.refund(bought!.capture_id);
  await tellAll(service, "REFUNDED");
  expect(await balanceOf(hanako)).toEqual({ available: -16, received: 16 });
  const { body } = await expectError(
    hanako.call(transferBrokerage, { email, price: -16 }),
    "transfer_too_small",
  );
  expect(body).toMatchObject({ available: -16, received: 16 });
  await buy(taro, { year: 2 });

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 16 });
});

test("transfers the whole balance once and rejects any other price with the balances", async () => {
  const service = await shop();
  const { taro, ...them } = await hanakoWhoInvitedTaro(service, 1);
  let { hanako } = them;
  await buy(taro, { month: 1 });
  const before = await paidOut();
  for (const price of [17.99, 10, 18.001, 0, -18, 1e21]) {
    const { status, body } = await expectError(
      hanako.call(transferBrokerage, { email, price }),
      "transfer_differs",
    );
    expect(status).toBe(422);
    expect(body).toMatchObject({ available: 18, received: 0 });
  }

  const balance = await hanako.call(transferBrokerage, { email, price: 18 });
  await expectError(hanako.call(transferBrokerage, { email, price: 18 }), "transfer_differs");

  expect(balance).toEqual({ available: 0, received: 18 });
  expect(await statesOf(hanako)).toEqual([["pending", 18]]);
  expect((await paidOut()) - before).toBe(1_800);
  hanako = await later(service, 10 * MINUTE_MS, hanako);
  expect(await statesOf(hanako)).toEqual([["completed", 18]]);
});

test("accepts a transfer of ten dollars and rejects one cent less", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  for (let month = 0; month < 5; month++) await buy(taro, { month: 1 });
  await service.db.updateTable("members").set({ brokerage_percentage: 50 }).execute();
  await service.db
    .updateTable("ledger_entries")
    .set({ usd_cents: 199 })
    .where("entry_id", "=", (eb) =>
      eb.selectFrom("ledger_entries").select("entry_id").orderBy("entry_id").limit(1),
    )
    .execute();

  const { body } = await expectError(
    hanako.call(transferBrokerage, { email, price: 9.99 }),
    "transfer_too_small",
  );
  expect(body).toMatchObject({ available: 9.99, received: 0 });
  await service.db.updateTable("ledger_entries").set({ usd_cents: 200 }).execute();

  expect(await hanako.call(transferBrokerage, { email, price: 10 })).toEqual({ available: 0, received: 10 });
});

test("creates one transfer per member when many run in parallel at two processes", async () => {
  const service = await shop();
  const second = await testService({ beside: service, config });
  const names = Array.from({ length: 12 }, (_, i) => `inviter${i}`);
  const inviters = await Promise.all(names.map((name) => service.member(name, { at: null })));
  const fee = { kind: "fee", usd_cents: 3_200, percentage: 20, transfer_id: null, at: new Date() } as const;
  await service.db
    .insertInto("ledger_entries")
    .values(
      inviters.map(({ memberId }) => ({
        ...fee,
        member_no: memberId,
        entry_id: randomUUID(),
        order_id: randomUUID(),
      })),
    )
    .execute();
  const before = await paidOut();

  const answers = await Promise.allSettled(
    Array.from({ length: 6 }).flatMap((_, i) =>
      inviters.map((one) => (i % 2 ? second.meet(one) : one).call(transferBrokerage, { email, price: 32 })),
    ),
  );

  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(12);
  expect((await paidOut()) - before).toBe(12 * 3_200);
  for (const one of inviters) expect(await balanceOf(one)).toEqual({ available: 0, received: 32 });
});

test.each(["failing after", "hanging up after", "garbled after"] as const)(
  "repeats a transfer without a response (%s) under the same id and pays it once",
  async (mood) => {
    const service = await shop();
    let { hanako } = await hanakoWhoInvitedTaro(service, 1);
    const before = await paidOut();
    await paypal.injectFault({ call: "create payout", fault: mood });

    expect(await hanako.call(transferBrokerage, { email, price: 16 })).toEqual({ available: 0, received: 0 });
    expect(await statesOf(hanako)).toEqual([["pending", 16]]);
    // PayPal no longer knows the request ids, but still knows the batches.
    await paypal.expireRequestIds();
    hanako = await later(service, 10 * MINUTE_MS, hanako);
    hanako = await later(service, HOUR_MS, hanako);

    expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
    expect(await statesOf(hanako)).toEqual([["completed", 16]]);
    expect((await paidOut()) - before).toBe(1_600);
  },
);

test("pays once when a repeated transfer is rejected after the first may have succeeded", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const before = await paidOut();
  await paypal.injectFault({ call: "create payout", fault: "hanging up after" });
  await hanako.call(transferBrokerage, { email, price: 16 });
  await paypal.expireRequestIds();
  await paypal.injectFault({ call: "create payout", fault: "declined" });

  hanako = await later(service, 10 * MINUTE_MS, hanako);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
  await expectError(hanako.call(transferBrokerage, { email, price: 16 }), "transfer_differs");
  await paypal.expireRequestIds();
  hanako = await later(service, DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
  expect((await paidOut()) - before).toBe(1_600);
});

test("sends a transfer later when PayPal was unreachable", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const before = await paidOut();
  await paypal.injectFault({ call: "create payout", fault: "hanging up", times: 3 });

  await hanako.call(transferBrokerage, { email, price: 16 });
  hanako = await later(service, 10 * MINUTE_MS, hanako);
  hanako = await later(service, HOUR_MS, hanako);
  expect(await statesOf(hanako)).toEqual([["pending", 16]]);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
  hanako = await later(service, DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
  expect((await paidOut()) - before).toBe(1_600);
});

test("does not repeat a transfer that PayPal may no longer recognise", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });
  await hanako.call(transferBrokerage, { email, price: 16 });
  const asked = await paypal.requestCount("create payout");

  hanako = await later(service, 21 * DAY_MS, hanako);
  hanako = await later(service, DAY_MS, hanako);

  expect(await paypal.requestCount("create payout")).toBe(asked);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("returns a rejected transfer to the balance at once", async () => {
  const service = await shop();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const before = await paidOut();
  await paypal.injectFault({ call: "create payout", fault: "declined" });

  const { status, body } = await expectError(
    hanako.call(transferBrokerage, { email, price: 16 }),
    "transfer_refused",
  );
  expect(status).toBe(422);
  expect(body).toMatchObject({ available: 16, received: 0 });
  expect(await statesOf(hanako)).toEqual([["failed", 16]]);
  expect((await paidOut()) - before).toBe(0);

  expect(await hanako.call(transferBrokerage, { email, price: 16 })).toEqual({ available: 0, received: 16 });
  expect((await paidOut()) - before).toBe(1_600);
});

test.each([
  ["FAILED", "failed"],
  ["BLOCKED", "failed"],
  ["RETURNED", "returned"],
] as const)("returns a transfer to the balance once when it is %s", async (fate, status) => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const payee = `${fate.toLowerCase()}@example.com`;
  await paypal.setPayoutOutcome(payee, "UNCLAIMED");
  await hanako.call(transferBrokerage, { email: payee, price: 16 });
  hanako = await later(service, HOUR_MS, hanako);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
  expect(await statesOf(hanako)).toEqual([["pending", 16]]);

  const batch = await service.db.selectFrom("transfers").selectAll().executeTakeFirstOrThrow();
  await paypal.settlePayout(batch.payout_batch_id!, fate);
  const event = (await paypal.events()).findLast(({ reference }) => reference === batch.transfer_id)!;
  expect(await paypal.deliver(event.id, webhooks(service), "signature")).toBe(400);
  hanako = await later(service, 0, hanako);
  expect(await statesOf(hanako)).toEqual([["pending", 16]]);
  for (let time = 0; time < 3; time++) expect(await paypal.deliver(event.id, webhooks(service))).toBe(200);

  await eventually(async () => expect(await statesOf(hanako)).toEqual([[status, 16]]));
  hanako = await later(service, DAY_MS, hanako);
  hanako = await later(service, 40 * DAY_MS, hanako);
  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
  service.clock.advance(1_000);
  await hanako.call(transferBrokerage, { email, price: 16 });
  expect(await statesOf(hanako)).toEqual([
    ["pending", 16],
    [status, 16],
  ]);
});

test("finds a returned transfer without a webhook", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email, price: 16 });
  hanako = await later(service, HOUR_MS, hanako);
  expect(await statesOf(hanako)).toEqual([["completed", 16]]);

  const { payout_batch_id } = await service.db.selectFrom("transfers").selectAll().executeTakeFirstOrThrow();
  await paypal.settlePayout(payout_batch_id!, "RETURNED");
  hanako = await later(service, 14 * DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
});

test("encrypts the payee's address and deletes it once PayPal has the transfer", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });
  const rows = () => service.db.selectFrom("transfers").select("encrypted_email").execute();

  await hanako.call(transferBrokerage, { email, price: 16 });
  const [sending] = await rows();
  expect(sending!.encrypted_email!.includes(email)).toBe(false);
  hanako = await later(service, HOUR_MS, hanako);

  expect(await rows()).toEqual([{ encrypted_email: null }]);
});

test("rejects a transfer with the balances when payments are off", async () => {
  const service = await serviceForTest({ config: { paypal: null } });
  const hanako = await service.member("hanako", { at: null });

  const { status, body } = await expectError(
    hanako.call(transferBrokerage, { email, price: 0 }),
    "transfers_off",
  );

  expect(status).toBe(422);
  expect(body).toMatchObject({ available: 0, received: 0 });
});

test("deletes a member's ledger and archives their transfers", async () => {
  const service = await shop();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email, price: 16 });

  await hanako.call(deleteAccount, {});

  expect(await service.db.selectFrom("ledger_entries").selectAll().execute()).toEqual([]);
  expect(await service.db.selectFrom("transfers").selectAll().execute()).toEqual([]);
  const closed = await service.db.selectFrom("closed_transfers").select(["usd_cents", "state"]).execute();
  expect(closed).toEqual([{ usd_cents: 1_600, state: "accepted" }]);
});

test.each(["hanging up", "hanging up after"] as const)(
  "pays an unconfirmed transfer (%s) of a deleted member once and deletes the address",
  async (mood) => {
    const service = await shop();
    const { hanako } = await hanakoWhoInvitedTaro(service, 1);
    const before = await paidOut();
    await paypal.injectFault({ call: "create payout", fault: mood });
    await hanako.call(transferBrokerage, { email, price: 16 });

    await hanako.call(deleteAccount, {});
    const [left] = await service.db.selectFrom("closed_transfers").selectAll().execute();
    expect(left).toMatchObject({ state: "sending", transfer_id: expect.any(String) });
    expect(left!.encrypted_email!.includes(email)).toBe(false);
    await paypal.expireRequestIds();
    for (const ms of [10 * MINUTE_MS, HOUR_MS, DAY_MS]) {
      service.clock.advance(ms);
      await reconcileTransfers(service.ctx);
    }

    expect((await paidOut()) - before).toBe(1_600);
    const nothing = { transfer_id: null, encrypted_email: null, next_poll_at: null };
    expect(await service.db.selectFrom("closed_transfers").selectAll().execute()).toMatchObject([
      { usd_cents: 1_600, state: expect.stringMatching(/accepted|paid/), ...nothing },
    ]);
  },
);

test("deletes the address of a deleted member after the retry period", async () => {
  const service = await shop();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });
  await hanako.call(transferBrokerage, { email, price: 16 });
  await hanako.call(deleteAccount, {});
  const asked = await paypal.requestCount("create payout");

  service.clock.advance(21 * DAY_MS);
  await reconcileTransfers(service.ctx);

  expect(await paypal.requestCount("create payout")).toBe(asked);
  expect(await service.db.selectFrom("closed_transfers").selectAll().execute()).toMatchObject([
    { state: "sending", transfer_id: expect.any(String), encrypted_email: null, next_poll_at: null },
  ]);
});
