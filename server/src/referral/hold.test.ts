import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getBrokerageFee, transferBrokerage } from "@alcove/contract/referral";
import { reconcileOrders } from "../membership/index.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { readConfig } from "../config.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { later, referralTests } from "../testing/referral.ts";
import { rounds } from "../testing/rounds.ts";
import { expectError, testService, type TestMember, type TestService } from "../testing/test-service.ts";

const { paypal, config, buy, shop, hanakoWhoInvitedTaro, paidOut, deliverAll } = await referralTests();

const email = "payee@example.com";
const HOLD_MS = 30 * DAY_MS;
async function shopWithHold(): Promise<TestService> {
  const service = await shop({ brokerageHoldDays: 30 });
  service.clock.set("2026-05-01T12:00:00Z");
  return service;
}

const nothing = { available: 0, received: 0, pending: 0, pending_until: null };
const balanceOf = (member: TestMember) => member.call(getBrokerageFee, {});
const inHold = ({ clock }: TestService) => new Date(clock.now().getTime() + HOLD_MS).toISOString();

test("holds a fee for 30 days unless BROKERAGE_HOLD_DAYS has another value", () => {
  expect(readConfig({}).brokerageHoldDays).toBe(30);
  expect(readConfig({ BROKERAGE_HOLD_DAYS: "0" }).brokerageHoldDays).toBe(0);
  expect(() => readConfig({ BROKERAGE_HOLD_DAYS: "-1" })).toThrow("BROKERAGE_HOLD_DAYS");
});

test("makes a fee available at the end of its hold, without a job", async () => {
  const service = await shopWithHold();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const pending = { ...nothing, pending: 16, pending_until: inHold(service) };
  const before = await paidOut();

  expect(await balanceOf(hanako)).toEqual(pending);
  for (const [price, code] of [
    [16, "transfer_differs"],
    [0, "transfer_too_small"],
  ] as const) {
    const { body } = await expectError(hanako.call(transferBrokerage, { email, price }), code);
    expect(body).toMatchObject(pending);
  }
  service.clock.advance(HOLD_MS - 1);
  hanako = await logInAgain(service, hanako);
  expect(await balanceOf(hanako)).toEqual(pending);
  await expectError(hanako.call(transferBrokerage, { email, price: 16 }), "transfer_differs");
  service.clock.advance(1);

  expect(await balanceOf(hanako)).toEqual({ ...nothing, available: 16 });
  const transferred = await hanako.call(transferBrokerage, { email, price: 16 });
  expect(transferred).toEqual({ ...nothing, received: 16 });
  expect((await paidOut()) - before).toBe(1_600);
});

test("ends a hold at the end of an hour, never early", async () => {
  const service = await shopWithHold();
  service.clock.advance(1);
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const pending_until = "2026-05-31T13:00:00.000Z";

  service.clock.set(new Date(Date.parse(pending_until) - 1));
  expect(await balanceOf(await logInAgain(service, hanako))).toEqual({
    ...nothing,
    pending: 16,
    pending_until,
  });
  service.clock.advance(1);
  expect(await balanceOf(await logInAgain(service, hanako))).toEqual({ ...nothing, available: 16 });
});

test("makes a fee available at once without a hold", async () => {
  const service = await shop({ brokerageHoldDays: 0 });
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);

  expect(await balanceOf(hanako)).toEqual({ ...nothing, available: 16 });
});

test("shows when all pending fees are available, and transfers only the available ones", async () => {
  const service = await shopWithHold();
  const { taro, ...them } = await hanakoWhoInvitedTaro(service, 1);
  let { hanako } = them;
  service.clock.advance(10 * DAY_MS);
  await buy(await logInAgain(service, taro), { month: 3 });
  const until = inHold(service);
  hanako = await logInAgain(service, hanako);
  expect(await balanceOf(hanako)).toEqual({ ...nothing, pending: 22, pending_until: until });

  hanako = await later(service, 20 * DAY_MS, hanako);
  const held = { pending: 6, pending_until: until };
  expect(await balanceOf(hanako)).toEqual({ ...nothing, ...held, available: 16 });
  await expectError(hanako.call(transferBrokerage, { email, price: 22 }), "transfer_differs");
  const transferred = await hanako.call(transferBrokerage, { email, price: 16 });
  expect(transferred).toEqual({ ...nothing, ...held, received: 16 });
  hanako = await later(service, 10 * DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ ...nothing, available: 6, received: 16 });
});

test("keeps the hold of a fee when the configuration changes", async () => {
  const service = await shopWithHold();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);

  const changed = await testService({ beside: service, config });
  expect(await balanceOf(changed.memberAt(hanako))).toMatchObject({ available: 0, pending: 16 });
});

test("counts a transfer at once in a process whose clock is behind", async () => {
  const service = await shop();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  const before = await paidOut();
  service.clock.advance(1_000);
  await hanako.call(transferBrokerage, { email, price: 16 });

  service.clock.advance(-500);
  expect(await balanceOf(hanako)).toEqual({ ...nothing, received: 16 });
  await expectError(hanako.call(transferBrokerage, { email, price: 16 }), "transfer_differs");

  expect((await paidOut()) - before).toBe(1_600);
});

test("reverses a pending fee before it becomes available", async () => {
  const service = await shopWithHold();
  const { taro, bought, ...them } = await hanakoWhoInvitedTaro(service, 1);
  let { hanako } = them;
  const until = inHold(service);

  await paypal.refund(bought!.capture_id, { currency_code: "USD", value: "30.00" });
  await deliverAll(service, "REFUNDED");
  expect(await balanceOf(hanako)).toEqual({ ...nothing, pending: 10, pending_until: until });
  service.clock.advance(DAY_MS);
  const second = await buy(await logInAgain(service, taro), { month: 1 });
  await paypal.reverse(second.capture_id);
  await deliverAll(service, "REVERSED");
  // A reversed fee has no end of the hold.
  hanako = await logInAgain(service, hanako);
  expect(await balanceOf(hanako)).toEqual({ ...nothing, pending: 10, pending_until: until });
  await paypal.reverse(bought!.capture_id);
  await deliverAll(service, "REVERSED");
  expect(await balanceOf(hanako)).toEqual(nothing);
  hanako = await later(service, HOLD_MS, hanako);

  expect(await balanceOf(hanako)).toEqual(nothing);
});

test("never takes pending fees when members transfer in parallel with a purchase at two processes", async () => {
  const service = await shopWithHold();
  const second = await testService({ beside: service, config: { ...config, brokerageHoldDays: 30 } });
  const pairs = await Promise.all(
    Array.from({ length: rounds(12) }, async (_, i) => {
      const inviter = await service.member(`inviter${i}`, { at: null });
      const buyer = await service.member(`buyer${i}`, { at: null, invitedBy: inviter.memberId });
      await buy(buyer, { year: 1 });
      return { inviter, buyer };
    }),
  );
  service.clock.advance(HOLD_MS);
  const again = await Promise.all(
    pairs.map(async ({ inviter, buyer }) => ({
      inviter: await logInAgain(service, inviter),
      buyer: await logInAgain(service, buyer),
    })),
  );
  const before = await paidOut();

  await Promise.allSettled(
    again.flatMap(({ inviter, buyer }) => [
      buy(second.memberAt(buyer), { month: 5 }),
      ...[16, 26, 10, 16].map((price, i) =>
        (i % 2 ? second.memberAt(inviter) : inviter).call(transferBrokerage, { email, price }),
      ),
    ]),
  );

  expect((await paidOut()) - before).toBe(pairs.length * 1_600);
  for (const { inviter } of again)
    expect(await balanceOf(inviter)).toMatchObject({ available: 0, received: 16, pending: 10 });
});

test.each(["of a member", "of a deleted member"])(
  "finds a chargeback within the hold without a webhook (order %s)",
  async (whose) => {
    const service = await shopWithHold();
    const { taro, bought, ...them } = await hanakoWhoInvitedTaro(service, 1);
    if (whose === "of a deleted member") await taro.call(deleteAccount, {});
    const run = async (ms: number, everyMs: number) => {
      for (let passed = 0; passed < ms; passed += everyMs) {
        service.clock.advance(everyMs);
        await reconcileOrders(service.ctx);
      }
    };
    await run(28 * DAY_MS, DAY_MS);
    await paypal.reverse(bought!.capture_id);

    await run(2 * DAY_MS, HOUR_MS);

    expect(await balanceOf(await logInAgain(service, them.hanako))).toEqual(nothing);
  },
);
