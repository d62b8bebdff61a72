import { expect, test } from "vitest";
import { addMonths } from "@alcove/contract/calendar";
import { getOwnUser } from "@alcove/contract/accounts";
import {
  createCoupon,
  getCoupons,
  getLog,
  grantAccount,
  lookUpMember,
  revokeGrant,
  setPercentage,
} from "@alcove/contract/console";
import { checkCoupon, getOrders, useCoupon } from "@alcove/contract/membership";
import { getBrokerageFee } from "@alcove/contract/referral";
import { readOperatorActions } from "../../../accounts/index.ts";
import { operatorOf } from "../../../testing/console.ts";
import { environmentOf, operator } from "../../../testing/operator.ts";
import { HOUR_MS } from "../../../platform/clock.ts";
import { buy, fakePayPalForFile } from "../../../testing/paypal.ts";
import { serviceForTest } from "../../../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../../../testing/test-service.ts";

const { paypal, config } = await fakePayPalForFile();

const run = (service: TestService, line: string, ...more: string[]) =>
  operator(environmentOf(service), ...line.split(" "), ...more);

async function json<T>(service: TestService, line: string): Promise<T> {
  const { code, out, problems } = await run(service, `${line} --json`);
  expect({ code, problems }).toEqual({ code: 0, problems: "" });
  return JSON.parse(out) as T;
}

const untilOf = async (member: TestMember) =>
  (await member.call(getOwnUser, {})).user.paid_account_expired_at;

test("takes back the newest gift, then the next, and never a purchase", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  await run(service, "members grant hanako --month 1");
  await buy(paypal, hanako, { month: 2 });
  await run(service, "members grant hanako --month 4");
  const { grants } = await json<{ grants: { id: string; source: string; at: string }[] }>(
    service,
    "members show hanako",
  );
  const bought = grants.find(({ source }) => source === "order")!;
  const [gift] = grants;
  const after = (months: number) => addMonths(new Date(gift!.at), months, "UTC").toISOString();
  expect(await untilOf(hanako)).toBe(after(7));

  await run(service, "members revoke-grant HANAKO --reason mistake");
  expect(await untilOf(hanako)).toBe(after(3));
  expect(await run(service, `members revoke-grant hanako ${bought.id}`)).toMatchObject({ code: 1 });
  expect(await untilOf(hanako)).toBe(after(3));
  for (let repeated = 0; repeated < 2; repeated++)
    await json(service, `members revoke-grant hanako ${gift!.id.toUpperCase()}`);
  const end = addMonths(new Date(bought.at), 2, "UTC").getTime();
  expect(Date.parse((await untilOf(hanako))!) - end).toBeLessThan(HOUR_MS);
  const { code, problems } = await run(service, "members revoke-grant hanako");
  expect([code, problems]).toEqual([1, "hanako has no such gift.\n"]);

  expect((await hanako.call(getOrders, {})).grants).toEqual([]);
  const log = (await readOperatorActions(service.ctx, null)).map(({ action, reason }) => [action, reason]);
  expect(log).toContainEqual(["members revoke-grant", "mistake"]);
  expect(await run(service, "members revoke-grant nobody")).toMatchObject({ code: 1 });
  expect(await run(service, "members revoke-grant")).toMatchObject({ code: 2 });
});

test("sets the fee percentage of purchases to come", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  const percentage = async () => (await hanako.call(getOwnUser, {})).user.brokerage_fee_percentage;
  const available = async () => (await hanako.call(getBrokerageFee, {})).available;

  await buy(paypal, taro, { year: 1 });
  const set = await json(service, "members percentage hanako 25");
  await buy(paypal, taro, { year: 1 });

  expect(set).toMatchObject({ user_id: "hanako", fee_percentage: "25" });
  expect([await percentage(), await available()]).toEqual([25, 16 + 20]);
  await json(service, "members percentage hanako 0");
  await buy(paypal, taro, { year: 1 });
  expect(await available()).toBe(36);
  await json(service, "members percentage hanako default");
  expect(await percentage()).toBe(20);
  for (const wrong of ["101", "-1", "2.5", ""])
    expect(await run(service, "members percentage hanako", wrong)).toMatchObject({ code: 2 });
});

test("draws coupons in bulk, one id a line, at their price and without a fee", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });

  const { code, out } = await run(service, "coupons create --count 100 --value", "USD 80");
  const ids = out.trimEnd().split("\n");
  const { coupon } = await taro.call(checkCoupon, { coupon_id: ids[99]!.toLowerCase() });
  await taro.call(useCoupon, { coupon_id: ids[99]! });

  expect(code).toBe(0);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  expect(coupon).toMatchObject({ year: 1, month: 0, max_uses: 1 });
  expect((await hanako.call(getBrokerageFee, {})).pending).toBe(0);
  expect((await hanako.call(getBrokerageFee, {})).available).toBe(0);
  const listed = await json<{ id: string; value: string; used: string }[]>(service, "coupons list");
  expect(listed.find(({ id }) => id === ids[99])).toMatchObject({ value: "USD 80", used: "1" });
  const log = await readOperatorActions(service.ctx, null);
  expect(log.map(({ action }) => action).join("\n")).toMatch(
    /coupons create count=100 year=1 .*value=USD-80/,
  );
  expect(log.map(({ action }) => action).join("\n")).not.toContain(ids[0]);
  for (const wrong of ["USD", "80", "USD 0x1"])
    expect(await run(service, "coupons create --count 1 --month 1 --value", wrong)).toMatchObject({
      code: 2,
    });
  expect(await run(service, "coupons create --count 1 --value", "USD 81")).toMatchObject({ code: 2 });
  expect(await run(service, "coupons create --count 1 --month 1 --id X")).toMatchObject({ code: 2 });
});

test("takes back gifts, sets percentages and draws coupons in the console, each with its log entry", async () => {
  const service = await serviceForTest({ config: { ...config, consolePort: 0 } });
  const sato = await operatorOf(service, "Sato");
  const hanako = await service.member("hanako", { at: null });
  const about = { userId: "hanako", reason: "asked by email" };
  const bought = await buy(paypal, hanako, { month: 1 });
  await sato.call(grantAccount, { ...about, year: 0, month: 3, grantId: crypto.randomUUID() });
  const { member } = await sato.call(lookUpMember, about);
  const gift = member.grants.find(({ source }) => source === "operator")!;

  const revoke = (grantId: string) => sato.call(revokeGrant, { ...about, grantId });
  const revoked = (await revoke(gift.id)).member;
  await expectError(revoke(bought.order_id), "not_found");
  const set = await sato.call(setPercentage, { ...about, percentage: 25 });
  const reset = await sato.call(setPercentage, { ...about, percentage: null });
  const terms = { year: 1, month: 0, max_uses: 1, expires_on: "2099-12-31" };
  const { ids } = await sato.call(createCoupon, { ...terms, count: 3, value: "usd 80" });
  for (const wrong of [{}, { id: "SPRING", count: 2 }, { count: 1, value: "80" }])
    await expectError(sato.call(createCoupon, { ...terms, ...wrong }), "invalid_input");

  expect(revoked.grants.map(({ source, is_revoked }) => [source, is_revoked])).toEqual([
    ["order", false],
    ["operator", true],
  ]);
  expect([set.member.percentage, reset.member.percentage]).toEqual([25, 20]);
  const { coupons } = await sato.call(getCoupons, {});
  expect(coupons.map(({ id, value }) => [id, value])).toEqual(ids.toSorted().map((id) => [id, "USD 80"]));
  const log = (await sato.call(getLog, {})).entries.map(({ operator: by, action }) => [by, action]);
  expect(log).toContainEqual(["Sato", `members revoke-grant id=${gift.id}`]);
  expect(log).toContainEqual(["Sato", "members percentage 25"]);
  expect(log).toContainEqual(["Sato", "members percentage default"]);
  expect(log.join()).toMatch(/Sato,coupons create count=3 year=1 month=0 .* value=USD-80/);
});
