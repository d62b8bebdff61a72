import { afterAll, expect, test } from "vitest";
import { saveSessions } from "@alcove/contract/accounts";
import { getOptions } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { startMailbox } from "@alcove/test-services/mail";
import { restoreMember, suspendMember } from "../index.ts";
import { grantMembership } from "../../membership/index.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import { storedEmailJobs } from "../../testing/jobs.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, type TestMember, type TestService } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const withEmail = { config: { smtpUrl: mailbox.url } };

async function runOn(service: TestService, day: string): Promise<void> {
  service.clock.set(`${day}T05:07:00Z`);
  await service.ctx.jobs.add(service.db, "handle_unused_accounts", {});
  await eventually(async () => {
    expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0);
    expect(await storedEmailJobs(service)).toEqual([]);
  });
}

const textsTo = (name: string) => mailbox.emails(`${name}@example.com`).map(({ text }) => text);

async function exists({ db }: TestService, { memberId }: TestMember): Promise<boolean> {
  const rows = await db.selectFrom("members").select("member_no").where("member_no", "=", memberId).execute();
  return rows.length === 1;
}

test("shows a member as a card for 60 days after any visit, and no longer", async () => {
  const service = await serviceForTest();
  service.clock.set("2027-01-01T12:00:00Z");
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro");
  const seesTaro = async () => {
    const { options } = await (await logInAgain(service, hanako)).call(getOptions, {});
    return options.map(({ user_id }) => user_id).includes("taro");
  };

  service.clock.advance(60 * DAY_MS);
  expect(await seesTaro()).toBe(true);
  service.clock.advance(DAY_MS);
  expect(await seesTaro()).toBe(false);
  await suspendMember(service.ctx, taro.memberId);
  await restoreMember(service.ctx, taro.memberId);
  expect(await seesTaro()).toBe(false);
  await (await logInAgain(service, taro)).call(getLastDms, {});
  service.clock.advance(DAY_MS);
  expect(await seesTaro()).toBe(true);
});

test("emails after 22, 23 and 23.5 months without a visit, and deletes after 24", async () => {
  const service = await serviceForTest(withEmail);
  service.clock.set("2027-01-31T12:00:00Z");
  const hanako = await service.member("unused", { at: null });
  const counts: [string, number, boolean][] = [];
  for (const day of [
    "2028-11-29",
    "2028-11-30",
    "2028-12-30",
    "2028-12-31",
    "2029-01-15",
    "2029-01-16",
    "2029-01-30",
    "2029-01-31",
  ]) {
    await runOn(service, day);
    counts.push([day, textsTo("unused").length, await exists(service, hanako)]);
  }

  expect(counts).toEqual([
    ["2028-11-29", 0, true],
    ["2028-11-30", 1, true],
    ["2028-12-30", 1, true],
    ["2028-12-31", 2, true],
    ["2029-01-15", 2, true],
    ["2029-01-16", 3, true],
    ["2029-01-30", 3, true],
    ["2029-01-31", 3, false],
  ]);
  for (const { subject, text } of mailbox.emails("unused@example.com")) {
    expect(text).toContain("2029/01/31");
    expect(subject + text).not.toMatch(/match|marri|dating|member/i);
  }
});

test("begins anew with a visit, and keeps an account through its paid time", async () => {
  const service = await serviceForTest(withEmail);
  service.clock.set("2027-01-01T12:00:00Z");
  const returns = await service.member("returns", { at: null });
  await returns.call(saveSessions, { tells_new_devices: false });
  const paid = await service.member("paid", { at: null });
  const plan = {
    year: 1,
    month: 0,
    source: "operator",
    grantId: "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001",
  } as const;
  await grantMembership(service.ctx, paid.memberId, plan); // until 2028-01-01

  for (const day of ["2028-11-01", "2028-12-01", "2028-12-17"]) await runOn(service, day);
  await logInAgain(service, returns);
  await runOn(service, "2029-01-02");
  expect([textsTo("returns").length, textsTo("paid").length]).toEqual([3, 0]);
  expect([await exists(service, returns), await exists(service, paid)]).toEqual([true, true]);
  await runOn(service, "2029-11-01");
  expect([textsTo("returns").length, textsTo("paid").length]).toEqual([3, 1]);
  await runOn(service, "2030-10-17");
  expect([textsTo("returns").length, textsTo("paid").length]).toEqual([4, 2]);
});

test("never deletes without the three emails, two weeks apart, also after years without jobs", async () => {
  const service = await serviceForTest(withEmail);
  service.clock.set("2027-01-01T12:00:00Z");
  const hanako = await service.member("late", { at: null });
  const day = (days: number) => utcDay(new Date(Date.parse("2035-01-01") + days * DAY_MS));

  for (const days of [0, 1, 14, 28]) await runOn(service, day(days));
  expect(textsTo("late")).toHaveLength(3);
  expect(textsTo("late")[0]).toContain(day(42).replaceAll("-", "/"));
  await runOn(service, day(41));
  expect(await exists(service, hanako)).toBe(true);
  await runOn(service, day(42));
  expect(await exists(service, hanako)).toBe(false);
});

test("deletes nobody with 0 months", async () => {
  const service = await serviceForTest({ config: { ...withEmail.config, unusedMonths: 0 } });
  service.clock.set("2027-01-01T12:00:00Z");
  const hanako = await service.member("forever", { at: null });

  for (const day of ["2037-01-01", "2037-02-01", "2037-03-01", "2037-04-01"]) await runOn(service, day);

  expect(await exists(service, hanako)).toBe(true);
  expect(textsTo("forever")).toEqual([]);
});
