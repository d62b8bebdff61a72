import { afterAll, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { confirmBank, getLog, getPayments } from "@alcove/contract/console";
import { createBankOrder, getOrder, getOrders, getRegions, withdraw } from "@alcove/contract/membership";
import { getBrokerageFee } from "@alcove/contract/referral";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS } from "../platform/clock.ts";
import type { Config } from "../config.ts";
import { operatorOf } from "../testing/console.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { fakePayPalForFile } from "../testing/paypal.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { sweepBankOrders } from "./bank-orders.ts";

const SUPPORT = "hello@alcove.example";
const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const { paypal } = await fakePayPalForFile();

/** By default without PayPal. */
const bank = (config: Partial<Config> = {}) =>
  serviceForTest({
    config: {
      ...config,
      bankDetails: "Example Ltd\nIBAN DE00",
      smtpUrl: mailbox.url,
      consolePort: 0,
      brokerageHoldDays: 0,
    },
  });

const YEAR = { currency: "USD", price: 80, year: 1, month: 0, country: "DE" } as const;
const orderBy = (member: TestMember) => member.call(createBankOrder, YEAR);
const run = (service: TestService, ...args: string[]) => operator(environmentOf(service), "orders", ...args);

test("gives reference and account, sends support the sum and reference, and shows the open order", async () => {
  const service = await bank();
  const hanako = await service.member("bank-hanako", { at: null });
  const before = mailbox.emails(SUPPORT).length;

  const { order_id, reference, account, until } = await orderBy(hanako);

  expect(reference).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  expect(account).toBe("Example Ltd\nIBAN DE00");
  const days = (Date.parse(until) - service.clock.now().getTime()) / DAY_MS;
  expect(Math.round(days)).toBe(30);
  expect(await hanako.call(getRegions, {})).toMatchObject({ country: "DE", bank_transfers: true });
  const { orders } = await hanako.call(getOrders, {});
  expect(orders).toMatchObject([
    { id: order_id, kind: "bank", status: "pending", number: null, transfer: { reference, account, until } },
  ]);
  const notice = await mailbox.waitForEmail(SUPPORT, before + 1);
  expect(notice.subject).toBe(`Alcove: bank transfer ${reference}`);
  expect(notice.text).toContain("$80\n");
  expect(notice.text).not.toContain("bank-hanako");
});

test("pays an order once: membership, receipt and fee, also when confirmed twice and at the same time", async () => {
  const service = await bank();
  const inviter = await service.member("bank-inviter", { at: null });
  const taro = await service.member("bank-taro", { at: null, invitedBy: inviter.memberId });
  const sato = await operatorOf(service, "Sato");
  const { order_id, reference } = await orderBy(taro);
  expect((await sato.call(getPayments, {})).bank).toEqual([{ reference, amount: "80 USD", state: "open" }]);

  const first = await run(service, "bank-paid", reference.toLowerCase(), "--json");
  await Promise.all([1, 2].map(() => sato.call(confirmBank, { reference, what: "paid" })));

  expect(JSON.parse(first.out)).toMatchObject({ user_id: "bank-taro", kind: "bank", state: "completed" });
  const { user } = await taro.call(getOwnUser, {});
  const { order } = await taro.call(getOrder, { order_id });
  expect(user.status).toBe("paid");
  expect(Date.parse(user.paid_account_expired_at!)).toBeLessThan(
    service.clock.now().getTime() + 367 * DAY_MS,
  );
  expect(order).toMatchObject({
    status: "completed",
    transfer: null,
    number: expect.stringMatching(/^\d{4}-/),
  });
  // The command line has the default hold.
  expect((await inviter.call(getBrokerageFee, {})).pending).toBe(16);
  const receipt = await mailbox.waitForEmail("bank-taro@example.com");
  expect(receipt.text).toContain(reference);
  expect(mailbox.emails("bank-taro@example.com")).toHaveLength(1);
  expect((await sato.call(getPayments, {})).bank).toEqual([]);
  const log = (await sato.call(getLog, {})).entries.map(({ action, subject }) => [action, subject]);
  expect(log).toContainEqual(["orders bank-paid", "bank-taro"]);
  expect(log.join()).not.toContain(reference);
  expect(await run(service, "bank-paid", "AAAA-AAAA")).toMatchObject({ code: 1 });
  await expectError(sato.call(confirmBank, { reference: "AAAA-AAAA", what: "paid" }), "order_not_found");
});

test("lists a withdrawal until it was paid back by hand, also of a member who left", async () => {
  const service = await bank();
  const sato = await operatorOf(service, "Sato");
  const inviter = await service.member("bank-earner", { at: null });
  for (const name of ["bank-back", "bank-leaves"]) {
    const member = await service.member(name, { at: null, invitedBy: inviter.memberId });
    const { order_id, reference } = await orderBy(member);
    await sato.call(confirmBank, { reference, what: "paid" });
    const { refund, user } = await member.call(withdraw, { order_id });
    expect([refund, user.status]).toEqual([{ amount: 80, currency: "USD", state: "pending" }, "free"]);
    if (name === "bank-leaves") await member.call(deleteAccount, {});
    expect((await sato.call(getPayments, {})).bank).toEqual([
      { reference, amount: "80 USD", state: "pay_back" },
    ]);

    const paidBack = await run(service, "bank-refunded", reference, "--json");

    expect(JSON.parse(paidBack.out)).toEqual({ reference });
    expect((await sato.call(getPayments, {})).bank).toEqual([]);
    expect(await run(service, "bank-refunded", reference)).toMatchObject({ code: 1 });
    if (name === "bank-back") expect((await member.call(withdraw, { order_id })).refund.state).toBe("done");
  }
  expect((await inviter.call(getBrokerageFee, {})).available).toBe(0);
});

test("asks PayPal for no refund of a bank transfer", async () => {
  const service = await bank({ paypal: paypal.account });
  const sato = await operatorOf(service, "Sato");
  const member = await service.member("bank-beside", { at: null });
  const { order_id, reference } = await orderBy(member);
  await sato.call(confirmBank, { reference, what: "paid" });

  expect((await member.call(withdraw, { order_id })).refund.state).toBe("pending");

  // PayPal's rejection would raise it.
  const order = service.db.selectFrom("orders").select("withdrawal_request_no");
  expect(await order.execute()).toEqual([{ withdrawal_request_no: 0 }]);
});

test("keeps three open orders of a member for 30 days", async () => {
  const service = await bank();
  const hanako = await service.member("bank-three", { at: null });
  const attempts = await Promise.allSettled([1, 2, 3, 4, 5].map(() => orderBy(hanako)));

  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await expectError(orderBy(hanako), "bank_orders_open");
  service.clock.advance(29 * DAY_MS);
  await sweepBankOrders(service.ctx);
  const later = await logInAgain(service, hanako);
  await expectError(orderBy(later), "bank_orders_open");
  service.clock.advance(DAY_MS + 1);
  await sweepBankOrders(service.ctx);

  expect(await service.db.selectFrom("paypal_refs").select("paypal_id").execute()).toEqual([]);
  await orderBy(await logInAgain(service, hanako));
  await eventually(async () => expect(mailbox.emails(SUPPORT).length).toBeGreaterThan(3));
});

test("offers no bank transfer without BANK_DETAILS, and rejects another price and an unknown country", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("bank-none", { at: null });
  await expectError(orderBy(hanako), "bank_transfers_off");
  expect((await hanako.call(getRegions, {})).bank_transfers).toBe(false);
  const open = await bank();
  const taro = await open.member("bank-wrong", { at: null });
  await expectError(taro.call(createBankOrder, { ...YEAR, price: 79 }), "invalid_input");
  await expectError(taro.call(createBankOrder, { ...YEAR, country: "XX" }), "invalid_input");
});
