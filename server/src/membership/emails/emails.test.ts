import { afterAll, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { captureOrder, getOrders, useCoupon } from "@alcove/contract/membership";
import { saveNotifications } from "@alcove/contract/notifications";
import { languages } from "@alcove/i18n";
import { startMailbox } from "@alcove/test-services/mail";
import { restoreMember, suspendMember } from "../../accounts/index.ts";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { moneyText } from "../../platform/i18n.ts";
import { makeJobsDue, storedEmailJobs } from "../../testing/jobs.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { order } from "../../testing/paypal.ts";
import { openFrom, PREFERENCES } from "../../testing/pushes.ts";
import { referralTests } from "../../testing/referral.ts";
import { eventually, testService, type TestMember, type TestService } from "../../testing/test-service.ts";
import { createCoupon, grantMembership, paidUntil } from "../index.ts";
import { findLocalTime } from "../../notifications/index.ts";
import { queueDueReminders } from "./expiry-reminder.ts";

const { paypal, buy, shop, deliverAll } = await referralTests();
const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const shopWithEmail = () => shop({ smtpUrl: mailbox.url });

const NOT_NEUTRAL = /match|marri|dating|member|結婚|既婚|已婚|交友|婚|buys-|ends-/i;

async function speak({ db }: TestService, { memberId }: TestMember, language: string): Promise<void> {
  await db.updateTable("members").set({ language }).where("member_no", "=", memberId).execute();
}

const startAnother = (beside: TestService) => testService({ beside, config: beside.ctx.config });

const noEmailWaits = (service: TestService) =>
  eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));

test("sends one neutral receipt of each purchase in the member's language", async () => {
  const service = await shopWithEmail();
  service.clock.set("2027-01-31T23:30:00Z");
  for (const language of languages) {
    const name = `buys-${language}`;
    const member = await service.member(name, { at: null });
    await speak(service, member, language);

    const { order_id } = await buy(member, { year: 1, month: 2, currency: "JPY" });
    await member.call(captureOrder, { order_id });
    await deliverAll(service, "CAPTURE");
    const email = await mailbox.waitForEmail(`${name}@example.com`);

    expect(email.text).toContain(moneyText(language, "JPY", 15_000));
    expect(email.text).toContain("2027/01/31-23:30:00 (UTC)");
    expect(email.text).toContain("2028/03/31-23:30:00 (UTC)");
    expect(email.text).toContain("ONLINE SERVICES");
    expect(email.text).toContain(order_id);
    expect(email.subject + email.text + email.html).not.toMatch(NOT_NEUTRAL);
    expect(email.subject).not.toMatch(/15|JPY|paid|receipt/i);
  }
  await noEmailWaits(service);
  expect(mailbox.emails("buys-en@example.com")).toHaveLength(1);
});

test("repeats the Message-ID of a receipt that is sent twice, and sends none when the purchase was refunded", async () => {
  const service = await shopWithEmail();
  const hanako = await service.member("pays-twice", { at: null });
  mailbox.loseNextResponse();

  await buy(hanako);
  const copy = await eventually(async () => {
    await makeJobsDue(service);
    const [, second] = mailbox.emails("pays-twice@example.com");
    expect(second).toBeDefined();
    return second!;
  });
  expect(copy.messageId).toBe(mailbox.emails("pays-twice@example.com")[0]!.messageId);
  await noEmailWaits(service);

  const taro = await service.member("pays-back", { at: null });
  await grant(service, taro, 1);
  const { order_id, paypal_order_id } = await order(taro);
  await paypal.approve(paypal_order_id);
  await service.ctx.jobs.stop();
  const { paypal_order_data } = await taro.call(captureOrder, { order_id });
  await paypal.refund(paypal_order_data.purchase_units![0]!.payments.captures[0]!.id);
  await deliverAll(service, "REFUND");
  await startAnother(service);
  await noEmailWaits(service);
  expect(mailbox.emails("pays-back@example.com")).toEqual([]);
});

const UNTIL = "2027-03-10T12:34:56.000Z";

async function memberUntil(service: TestService, name: string): Promise<TestMember> {
  service.clock.set("2027-02-10T12:34:56.000Z");
  const member = await service.member(name, { at: null });
  await grant(service, member, 1);
  return member;
}

const grant = (service: TestService, { memberId }: TestMember, month: number) =>
  grantMembership(service.ctx, memberId, {
    year: 0,
    month,
    source: "operator",
    grantId: crypto.randomUUID(),
  });

test("reminds once, a week before the end, when several processes look at the same time", async () => {
  const service = await shopWithEmail();
  const other = await startAnother(service);
  for (const language of languages)
    await speak(service, await memberUntil(service, `ends-${language}`), language);
  const everyone = languages.map((language) => `ends-${language}@example.com`);
  const remind = () =>
    Promise.all([service, other, service, other].map(({ ctx }) => queueDueReminders(ctx, findLocalTime)));

  service.clock.set("2027-03-03T12:59:59Z");
  await remind();
  await noEmailWaits(service);
  expect(everyone.flatMap((address) => mailbox.emails(address))).toEqual([]);
  service.clock.set("2027-03-03T13:00:00Z");
  await remind();
  for (const address of everyone) {
    const email = await mailbox.waitForEmail(address);
    expect(email.text).toContain("2027/03/10-12:34:56 (UTC)");
    expect(email.subject + email.text + email.html).not.toMatch(NOT_NEUTRAL);
  }
  service.clock.advance(DAY_MS);
  await remind();

  await noEmailWaits(service);
  for (const address of everyone) expect(mailbox.emails(address)).toHaveLength(1);
});

test("reminds of the new end only when a membership is extended, also after the email was queued", async () => {
  const service = await shopWithEmail();
  const early = await memberUntil(service, "extends-early");
  const late = await memberUntil(service, "extends-late");
  service.clock.set("2027-03-01T00:00:00Z");
  await grant(service, early, 1);
  await service.ctx.jobs.stop();
  service.clock.set("2027-03-03T13:00:00Z");

  await queueDueReminders(service.ctx, findLocalTime);
  expect(await storedEmailJobs(service)).toHaveLength(1);
  await grant(service, late, 1);
  await startAnother(service);
  await noEmailWaits(service);
  expect(mailbox.emails("extends-early@example.com")).toEqual([]);
  expect(mailbox.emails("extends-late@example.com")).toEqual([]);

  service.clock.set("2027-04-03T13:00:00Z");
  await queueDueReminders(service.ctx, findLocalTime);
  for (const name of ["early", "late"]) {
    const email = await mailbox.waitForEmail(`extends-${name}@example.com`);
    expect(email.text).toContain("2027/04/10-12:34:56 (UTC)");
  }
});

test("reminds no suspended or deleted member, and none after the end of a membership", async () => {
  const service = await shopWithEmail();
  const suspended = await memberUntil(service, "is-suspended");
  const deleted = await memberUntil(service, "is-deleted");
  await suspendMember(service.ctx, suspended.memberId);
  await service.ctx.jobs.stop();
  service.clock.set("2027-03-04T00:00:00Z");
  await queueDueReminders(service.ctx, findLocalTime);

  await (await logInAgain(service, deleted)).call(deleteAccount, {});
  await startAnother(service);
  await noEmailWaits(service);
  const over = await memberUntil(service, "is-over");
  service.clock.set(UNTIL);
  service.clock.advance(HOUR_MS);
  await queueDueReminders(service.ctx, findLocalTime);
  await noEmailWaits(service);

  for (const name of ["is-suspended", "is-deleted", "is-over"])
    expect(mailbox.emails(`${name}@example.com`)).toEqual([]);
  await restoreMember(service.ctx, suspended.memberId);
  expect(await paidUntil(service.ctx, over.memberId)).toEqual(new Date(UNTIL));
});

test("reminds after the member's quiet hours, and in their time zone", async () => {
  const service = await shopWithEmail();
  const hanako = await memberUntil(service, "sleeps");
  const quiet = { quiet_hours: true, quiet_from: "20:00", quiet_to: "23:00" };
  await hanako.call(saveNotifications, { ...PREFERENCES, ...quiet });
  await openFrom("Asia/Tokyo", hanako);

  service.clock.set("2027-03-03T13:07:00Z"); // 22:07 in Tokyo
  await queueDueReminders(service.ctx, findLocalTime);
  await noEmailWaits(service);
  expect(mailbox.emails("sleeps@example.com")).toEqual([]);
  service.clock.set("2027-03-03T14:07:00Z");
  await queueDueReminders(service.ctx, findLocalTime);

  const email = await mailbox.waitForEmail("sleeps@example.com");
  expect(email.text).toContain("2027/03/10-21:34:56 (Asia/Tokyo)");
});

test("lists coupons and grants of the operator beside the orders", async () => {
  const service = await shopWithEmail();
  service.clock.set("2027-02-10T12:34:56.000Z");
  const hanako = await service.member("looks-back", { at: null });
  const expiresAt = new Date("2028-01-01T00:00:00Z");
  await createCoupon(service.ctx, { id: "GIFT", year: 0, month: 3, maxUses: 1, expiresAt });
  await hanako.call(useCoupon, { coupon_id: "gift" });
  service.clock.advance(1_000);
  await grant(service, hanako, 2);
  await buy(hanako);

  const { orders, grants } = await hanako.call(getOrders, {});

  expect(orders).toHaveLength(1);
  expect(grants).toEqual([
    { source: "operator", coupon_id: null, year: 0, month: 2, at: "2027-02-10T12:34:57.000Z" },
    { source: "coupon", coupon_id: "GIFT", year: 0, month: 3, at: "2027-02-10T12:34:56.000Z" },
  ]);
});
