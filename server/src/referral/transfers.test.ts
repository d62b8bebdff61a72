import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { transferBrokerage } from "@alcove/contract/referral";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { balanceOf, later, referralTests, transfersOf } from "../testing/referral.ts";
import { eventually, expectError, testService } from "../testing/test-service.ts";

const { paypal, config, webhooks, buy, shop, hanakoWhoInvitedTaro, paidOut } = await referralTests();

const email = "payee@example.com";

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

  expect(balance).toMatchObject({ available: 0, received: 18 });
  expect(await transfersOf(hanako)).toEqual([["pending", 18]]);
  expect((await paidOut()) - before).toBe(1_800);
  hanako = await later(service, 10 * MINUTE_MS, hanako);
  expect(await transfersOf(hanako)).toEqual([["completed", 18]]);
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

  expect(await hanako.call(transferBrokerage, { email, price: 10 })).toMatchObject({
    available: 0,
    received: 10,
  });
});

test("creates one transfer per member when many run in parallel at two processes", async () => {
  const service = await shop();
  const second = await testService({ beside: service, config });
  const names = Array.from({ length: 12 }, (_, i) => `inviter${i}`);
  const inviters = await Promise.all(names.map((name) => service.member(name, { at: null })));
  const at = service.clock.now();
  const fee = {
    kind: "fee",
    usd_cents: 3_200,
    percentage: 20,
    transfer_id: null,
    at,
    available_at: at,
  } as const;
  await service.db
    .insertInto("ledger_entries")
    .values(
      inviters.map(({ memberId }) => ({
        ...fee,
        sequence_no: memberId,
        member_no: memberId,
        entry_id: randomUUID(),
        order_id: randomUUID(),
      })),
    )
    .execute();
  const before = await paidOut();

  const answers = await Promise.allSettled(
    Array.from({ length: 6 }).flatMap((_, i) =>
      inviters.map((one) =>
        (i % 2 ? second.memberAt(one) : one).call(transferBrokerage, { email, price: 32 }),
      ),
    ),
  );

  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(12);
  expect((await paidOut()) - before).toBe(12 * 3_200);
  for (const one of inviters) expect(await balanceOf(one)).toEqual({ available: 0, received: 32 });
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
  expect(await transfersOf(hanako)).toEqual([["failed", 16]]);
  expect((await paidOut()) - before).toBe(0);

  expect(await hanako.call(transferBrokerage, { email, price: 16 })).toMatchObject({
    available: 0,
    received: 16,
  });
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
  expect(await transfersOf(hanako)).toEqual([["pending", 16]]);

  const batch = await service.db.selectFrom("transfers").selectAll().executeTakeFirstOrThrow();
  await paypal.settlePayout(batch.payout_batch_id!, fate);
  const event = (await paypal.events()).findLast(({ reference }) => reference === batch.transfer_id)!;
  expect(await paypal.deliver(event.id, webhooks(service), "signature")).toBe(400);
  hanako = await later(service, 0, hanako);
  expect(await transfersOf(hanako)).toEqual([["pending", 16]]);
  for (let time = 0; time < 3; time++) expect(await paypal.deliver(event.id, webhooks(service))).toBe(200);

  await eventually(async () => expect(await transfersOf(hanako)).toEqual([[status, 16]]));
  hanako = await later(service, DAY_MS, hanako);
  hanako = await later(service, 40 * DAY_MS, hanako);
  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
  service.clock.advance(1_000);
  await hanako.call(transferBrokerage, { email, price: 16 });
  expect(await transfersOf(hanako)).toEqual([
    ["pending", 16],
    [status, 16],
  ]);
});

test("finds a returned transfer without a webhook", async () => {
  const service = await shop();
  let { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email, price: 16 });
  hanako = await later(service, HOUR_MS, hanako);
  expect(await transfersOf(hanako)).toEqual([["completed", 16]]);

  const { payout_batch_id } = await service.db.selectFrom("transfers").selectAll().executeTakeFirstOrThrow();
  await paypal.settlePayout(payout_batch_id!, "RETURNED");
  hanako = await later(service, 14 * DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
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
