import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { transferBrokerage } from "@alcove/contract/referral";
import { balanceOf, referralTests } from "../testing/referral.ts";
import type { TestService } from "../testing/test-service.ts";

const { paypal, buy, shop, hanakoWhoInvitedTaro, deliverAll } = await referralTests();

const none = { available: 0, received: 0 };
const accountsIn = ({ db }: TestService) => db.selectFrom("paypal_accounts").selectAll().execute();

test("records no fee when the payer paid with an account with which the inviter paid before", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  await buy(hanako, { month: 1, payer: "hanako-pays@example.com" });

  await buy(taro, { year: 1, payer: "Hanako-Pays@Example.com" });

  expect(await balanceOf(hanako)).toEqual(none);
  await buy(taro, { year: 1, payer: "taro-pays@example.com" });
  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
});

test("records no fee when the payer paid with an account to which the inviter transferred", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service, 1);
  await hanako.call(transferBrokerage, { email: "Payee@Example.com", price: 16 });

  await buy(taro, { year: 1, payer: "payee@example.com" });
  await buy(taro, { year: 1, payer: "payee+second@example.com" });

  expect(await balanceOf(hanako)).toEqual({ available: 0, received: 16 });
});

test("keeps the fee when the account becomes the inviter's only after the capture", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);

  await buy(taro, { year: 1, payer: "shared@example.com" });
  await buy(hanako, { month: 1, payer: "shared@example.com" });

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
});

test("records the fee when the payer's account is only another member's", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  const jiro = await service.member("jiro", { at: null });
  await buy(jiro, { month: 1, payer: "jiro-pays@example.com" });

  await buy(taro, { year: 1, payer: "jiro-pays@example.com" });

  expect(await balanceOf(hanako)).toEqual({ available: 16, received: 0 });
});

test("refunds of a purchase without a fee change nothing", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service);
  await buy(hanako, { month: 1, payer: "same@example.com" });
  const { capture_id } = await buy(taro, { year: 1, payer: "same@example.com" });

  await paypal.reverse(capture_id);
  await deliverAll(service, "REVERSED");

  expect(await balanceOf(hanako)).toEqual(none);
});

test("stores accounts as digests that differ between members, until the deletion", async () => {
  const service = await shop();
  const { hanako, taro } = await hanakoWhoInvitedTaro(service, 1);
  await buy(hanako, { month: 1, payer: "shared@example.com" });
  await buy(taro, { month: 1, payer: "shared@example.com" });
  await buy(taro, { month: 1, payer: "shared@example.com" });
  await hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 });

  const accounts = await accountsIn(service);
  // Id and address of each payer, and Hanako's payout address.
  expect(accounts.filter(({ member_no }) => member_no === hanako.memberId)).toHaveLength(3);
  expect(accounts.filter(({ member_no }) => member_no === taro.memberId)).toHaveLength(4);
  expect(new Set(accounts.map(({ account_digest }) => account_digest.toString("hex"))).size).toBe(7);
  for (const { account_digest } of accounts) {
    expect(account_digest).toHaveLength(32);
    expect(account_digest.includes("shared") || account_digest.includes("payee")).toBe(false);
  }
  await hanako.call(deleteAccount, {});
  await taro.call(deleteAccount, {});

  expect(await accountsIn(service)).toEqual([]);
});

test("shows the buyer nothing of the paying account", async () => {
  const service = await shop();
  const { taro } = await hanakoWhoInvitedTaro(service);

  const bought = await buy(taro, { month: 1, payer: "wife-of-taro@example.com" });

  expect(JSON.stringify(bought)).not.toContain("wife-of-taro");
});
