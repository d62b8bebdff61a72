import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { transferBrokerage } from "@alcove/contract/referral";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { CLUSTER } from "../testing/cluster-database.ts";
import { balanceOf, later, referralTests, transfersOf } from "../testing/referral.ts";
import { expectError } from "../testing/test-service.ts";
import { reconcileDueTransfers, reconcileTransfers } from "./reconcile-transfers.ts";

const { paypal, shop, buy, hanakoWhoInvitedTaro, paidOut } = await referralTests();

const email = "payee@example.com";

test.each(["failing after", "hanging up after", "garbled after"] as const)(
  "repeats a transfer without a response (%s) under the same id and pays it once",
  async (mood) => {
    const service = await shop();
    let { hanako } = await hanakoWhoInvitedTaro(service, 1);
    const before = await paidOut();
    await paypal.injectFault({ call: "create payout", fault: mood });

    expect(await hanako.call(transferBrokerage, { email, price: 16 })).toMatchObject({
      available: 0,
      received: 0,
    });
    expect(await transfersOf(hanako)).toEqual([["pending", 16]]);
    // PayPal no longer knows the request ids, but still knows the batches.
    await paypal.expireRequestIds();
    hanako = await later(service, 10 * MINUTE_MS, hanako);
    hanako = await later(service, HOUR_MS, hanako);

    expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
    expect(await transfersOf(hanako)).toEqual([["completed", 16]]);
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
  expect(await transfersOf(hanako)).toEqual([["pending", 16]]);
  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 0 });
  hanako = await later(service, DAY_MS, hanako);

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
  expect((await paidOut()) - before).toBe(1_600);
});

test("sends in one run all transfers that wait after an outage, also those of another batch", async () => {
  const service = await shop();
  const before = await paidOut();
  await paypal.injectFault({ call: "create payout", fault: "hanging up", times: 3 });
  for (const name of ["hanako", "keiko", "yumi"]) {
    const inviter = await service.member(name, { at: null });
    const invited = await service.member(`${name}-friend`, { at: null, invitedBy: inviter.memberId });
    await buy(invited, { year: 1 });
    await inviter.call(transferBrokerage, { email, price: 16 });
  }
  service.clock.advance(HOUR_MS);

  await reconcileDueTransfers(service.ctx, { perBatch: 1 });

  expect((await paidOut()) - before).toBe(3 * 1_600);
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

// A restore into distributed tables is rejected.
test.runIf(CLUSTER.length === 0)(
  "archives a restored transfer of a deleted member, whose key is missing, without the address",
  async () => {
    const service = await shop();
    const { hanako } = await hanakoWhoInvitedTaro(service, 1);
    await paypal.injectFault({ call: "create payout", fault: "hanging up" });
    await hanako.call(transferBrokerage, { email, price: 16 });
    const { keys } = service.ctx.encryption;
    await keys.destroy(service.db, [hanako.memberId]);
    keys.forget(hanako.memberId);

    await service.db
      .transaction()
      .execute((tx) => service.ctx.domainEvents.emit(tx, "database_restored", { mediaIds: [] }));

    expect(await service.db.selectFrom("closed_transfers").selectAll().execute()).toMatchObject([
      { state: "sending", transfer_id: expect.any(String), encrypted_email: null, next_poll_at: null },
    ]);
  },
);

test.each([
  ["PayPal has the transfer", MINUTE_MS * 10],
  ["the retry period ends", 21 * DAY_MS],
])("keeps the address of a deleted member when its key cannot be destroyed as %s", async (_, ms) => {
  const service = await shop();
  const { hanako } = await hanakoWhoInvitedTaro(service, 1);
  await paypal.injectFault({ call: "create payout", fault: "hanging up" });
  await hanako.call(transferBrokerage, { email, price: 16 });
  await hanako.call(deleteAccount, {});
  onTestFinished(async () => void (await sql`drop table uses`.execute(service.db)));
  await sql`create table uses (key_id int8 references data_keys)`.execute(service.db);
  if (CLUSTER.length > 0) {
    await sql`select create_distributed_table('uses', 'key_id', colocate_with => 'data_keys')`.execute(
      service.db,
    );
  }
  await sql`insert into uses select key_id from data_keys where key_id < -1000000`.execute(service.db);
  service.clock.advance(ms);

  await expect(reconcileTransfers(service.ctx)).rejects.toThrow("uses");

  expect(await service.db.selectFrom("closed_transfers").selectAll().execute()).toMatchObject([
    { state: "sending", encrypted_email: expect.any(Buffer), next_poll_at: expect.any(Date) },
  ]);
});
