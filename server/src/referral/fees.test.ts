import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { transferBrokerage } from "@alcove/contract/referral";
import { suspendMember } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { readZip } from "@alcove/test-services/zip";
import { balanceOf, referralTests } from "../testing/referral.ts";
import { countLockWaits } from "../testing/statements.ts";
import { eventually, expectError, testService } from "../testing/test-service.ts";

const { paypal, config, buy, shop, hanakoWhoInvitedTaro, deliverAll } = await referralTests();

const email = "payee@example.com";

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

  const there = second.memberAt(taro);
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
  const again = await service.member("hanako-again", { at: null, invitedBy: taro.memberId });
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

test("exports the fees of a month as one sum", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await buy(taro, { year: 1 });
  await paypal.refund(bought!.capture_id, { currency_code: "USD", value: "40.00" });
  await deliverAll(service, "REFUNDED");

  const response = await hanako.fetch("/en/users/api/export");

  const files = await readZip(new Uint8Array(await response.arrayBuffer()));
  const { brokerage } = JSON.parse(files.get("data.json")!.toString()) as { brokerage: object };
  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  expect(brokerage).toMatchObject({ available: 24, fees: [{ month, usd_cents: 2_400 }] });
  expect(brokerage).not.toHaveProperty("entries");
});

test("reverses the refunded share of a fee, and the rest after a chargeback, with repeated webhooks", async () => {
  const service = await shop();
  const { hanako, bought } = await hanakoWhoInvitedTaro(service, 1);

  await paypal.refund(bought!.capture_id, { currency_code: "USD", value: "33.33" });
  await deliverAll(service, "REFUNDED");
  await deliverAll(service, "REFUNDED");
  // USD 46.67 remain paid; a fifth is 9.33.
  expect(await balanceOf(hanako)).toEqual({ available: 9.33, received: 0 });
  await paypal.reverse(bought!.capture_id);
  await deliverAll(service, "REVERSED");
  await deliverAll(service, "REFUNDED");

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("reverses a fee after the buyer's deletion", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await taro.call(deleteAccount, {});
  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });

  await paypal.refund(bought!.capture_id);
  await deliverAll(service, "REFUNDED");

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("locks the earner before the archived order of a refund", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await taro.call(deleteAccount, {});
  await paypal.refund(bought!.capture_id);
  const { archive_id } = await service.db
    .selectFrom("closed_orders")
    .select("archive_id")
    .executeTakeFirstOrThrow();

  const [delivery] = await service.db.transaction().execute(async (tx) => {
    await lockMember(tx, hanako.memberId);
    const delivered = deliverAll(service, "REFUNDED");
    await eventually(async () => expect(await countLockWaits(service)).toBe(1));
    // Fails at once if the refund has the order and waits for the earner.
    await sql`select from closed_orders where archive_id = ${archive_id} for update nowait`.execute(tx);
    return [delivered];
  });
  await delivery;

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
});

test("makes the balance negative after a transfer and a refund, until later fees", async () => {
  const service = await shop();
  const { hanako, taro, bought } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email, price: 16 });

  await paypal.refund(bought!.capture_id);
  await deliverAll(service, "REFUNDED");
  expect(await balanceOf(hanako)).toEqual({ available: -16, received: 16 });
  const { body } = await expectError(
    hanako.call(transferBrokerage, { email, price: -16 }),
    "transfer_too_small",
  );
  expect(body).toMatchObject({ available: -16, received: 16 });
  await buy(taro, { year: 2 });

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 16 });
});
