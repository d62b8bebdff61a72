import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getStatistics, type PeriodKind } from "@alcove/contract/console-statistics";
import { passUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { DAY_MS } from "../platform/clock.ts";
import { operatorOf } from "../testing/console.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { buy, fakePayPalForFile } from "../testing/paypal.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestService } from "../testing/test-service.ts";
import { readStatistics } from "./index.ts";
import { recordFigures } from "./record.ts";

const { paypal, config } = await fakePayPalForFile();

/** With the clock of the service. */
async function stats({ ctx }: TestService, by: PeriodKind = "day", from?: string, to?: string) {
  return (await readStatistics(ctx, { by, from: from ?? null, to: to ?? null }))!;
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

test("counts what happened, also of members and matches that are gone, and hides 1 to 9", async () => {
  const service = await serviceForTest();
  service.clock.set("2027-03-10T10:00:00Z");
  const hanako = await service.member("hanako", { sex: "female", paid: true });
  for (const name of names("taro", 11)) {
    const taro = await service.member(name, { sex: "male", paid: true });
    await match(hanako, taro);
    await hanako.call(sendDm, { receiverId: name, description: "Hello" });
    await hanako.call(sendDm, { receiverId: name, description: "Hello again" });
    await hanako.call(blockUser, { userId: name });
    await taro.call(deleteAccount, {});
  }
  const jiro = await service.member("jiro", { sex: "male" });
  await hanako.call(passUser, { unlikedId: "jiro" });
  await hanako.call(reportUser, { userId: jiro.user_id, reason: "spam" });

  const live = (await stats(service)).at(-1);
  await recordFigures(service.ctx);
  await recordFigures(service.ctx);
  const [recorded, ...more] = await stats(service, "day", "2027-03-10", "2027-03-10");

  expect(recorded).toMatchObject({
    period: "2027-03-10",
    members_female: "<10",
    members_male: "<10",
    sign_ups: 13,
    active_members: 13,
    cards: 23,
    likes: 22,
    matches: 11,
    first_messages: 11,
    reports: "<10",
    reports_closed: 0,
    report_days: 0,
  });
  expect([live, more]).toEqual([recorded, []]);
  const rows = await service.db.selectFrom("daily_figures").select(["day", "figure"]).execute();
  expect(new Set(rows.map(({ day, figure }) => `${day} ${figure}`)).size).toBe(rows.length);
});

test("shows money of ten orders, not of nine, by day and month, and no difference reveals an order", async () => {
  const service = await serviceForTest({ config });
  service.clock.set("2027-01-15T10:00:00Z");
  const inviter = await service.member("inviter", { at: null });
  const buyer = await service.member("buyer", { at: null, invitedBy: inviter.memberId });
  const captures: string[] = [];
  for (let i = 0; i < 9; i++) captures.push((await buy(paypal, buyer, { month: 1 })).capture_id);
  expect((await stats(service)).at(-1)).toMatchObject({
    buyers: { USD: "<10", JPY: 0, TWD: 0 },
    revenue: { USD: "<10", JPY: 0, TWD: 0 },
    fees_usd: "<10",
  });
  await buy(paypal, buyer, { month: 1 });
  const [day] = (await stats(service)).slice(-1);
  service.clock.advance(DAY_MS);
  const again = await service.member("again", { at: null });
  await buy(paypal, again, { year: 1 });
  await buy(paypal, again, { year: 1, currency: "JPY" });
  const [month] = (await stats(service, "month")).slice(-1);

  expect(day).toMatchObject({ buyers: { USD: 10 }, revenue: { USD: 100 }, fees: 10, fees_usd: 20 });
  expect(month).toMatchObject({
    period: "2027-01",
    buyers: { USD: 10, JPY: "<10" },
    revenue: { USD: 100, JPY: "<10" },
  });
});

test("counts a member once in a month, however often they come", async () => {
  const service = await serviceForTest();
  service.clock.set("2027-01-31T10:00:00Z");
  const members = [];
  for (const name of names("member", 10)) members.push(await service.member(name, { at: null }));
  for (const day of ["2027-02-01T23:59:00Z", "2027-02-02T00:01:00Z"]) {
    service.clock.set(day);
    for (const member of members) await (await logInAgain(service, member)).call(getOwnUser, {});
  }

  const months = await stats(service, "month", "2027-01-31", "2027-02-28");
  const days = await stats(service, "day", "2027-01-31", "2027-02-02");

  expect(months.map((one) => [one.period, one.active_members, one.sign_ups])).toEqual([
    ["2027-01", 10, 10],
    ["2027-02", 10, 0],
  ]);
  expect(days.map((one) => one.active_members)).toEqual([10, 10, 10]);
});

test("counts members by the country of their time zone, and moves the shown number in steps of ten", async () => {
  const service = await serviceForTest();
  service.clock.set("2027-05-01T10:00:00Z");
  for (const name of names("a", 12)) await service.member(name, { at: null, sex: "female" });
  const zone = { en: "Europe/Berlin", few: "Asia/Kolkata" };
  const ids = (await service.db.selectFrom("members").select("member_no").execute()).map(
    ({ member_no }) => member_no,
  );
  await service.db.updateTable("members").set({ time_zone: zone.en }).where("member_no", "in", ids).execute();
  await service.db
    .updateTable("members")
    .set({ time_zone: zone.few })
    .where("member_no", "=", (await service.member("b", { at: null, sex: "male" })).memberId)
    .execute();
  await recordFigures(service.ctx);
  service.clock.advance(DAY_MS);
  await service.member("c", { at: null, sex: "female" });
  const [first, second] = (await stats(service)).slice(-2);

  expect(first).toMatchObject({
    members_female: 12,
    members_male: "<10",
    members_by_country: { DE: 12, IN: "<10" },
  });
  expect(second).toMatchObject({ members_female: 12, sign_ups: "<10" });
});

test("shows the same in the console, logs each look, and rejects a reversed range", async () => {
  const service = await serviceForTest({ config: { consolePort: 0 } });
  const sato = await operatorOf(service, "Sato");

  const { periods } = await sato.call(getStatistics, { by: "month" });

  expect(periods).toHaveLength(12);
  const { out } = await operator(environmentOf(service), "stats", "--by", "month", "--json");
  expect(JSON.parse(out)).toMatchObject(
    periods.map(({ period, sign_ups }) => ({
      period,
      sign_ups,
      buyers: [{ currency: "TWD", figure: 0 }, {}, {}],
    })),
  );
  await expectError(
    sato.call(getStatistics, { by: "day", from: "2027-02-02", to: "2027-02-01" }),
    "invalid_input",
  );
  for (const wrong of ["--by week", "--from 2027-02-30", "--to yesterday"])
    expect(await operator(environmentOf(service), "stats", ...wrong.split(" "))).toMatchObject({ code: 2 });
});
