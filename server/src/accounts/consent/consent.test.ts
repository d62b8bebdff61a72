import { afterAll, expect, test } from "vitest";
import { calls } from "@alcove/contract";
import { confirmPassword, getOwnUser, getWsTicket, register } from "@alcove/contract/accounts";
import { CONSENT_REQUIRED_FROM } from "@alcove/contract/call";
import { getConsent, giveConsent } from "@alcove/contract/consent";
import { getOptions, likeUser } from "@alcove/contract/discovery";
import { PRIVACY_VERSION, TERMS_VERSION } from "@alcove/contract/legal-versions";
import { getOrders } from "@alcove/contract/membership";
import { languages } from "@alcove/i18n";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, MINUTE_MS } from "../../platform/clock.ts";
import { exportOf } from "../../testing/export.ts";
import { storedEmailJobs } from "../../testing/jobs.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { eventually, expectError, type TestMember, type TestService } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const [OLD, NEW] = ["2026-01-01", "2026-06-01"];
const version = (day: string) => ({ version: day, changes: [] });
const legalVersions = { terms: [version(NEW), version(OLD)], privacy: [version(OLD)] };
const changed = { config: { smtpUrl: mailbox.url, legalVersions } };

/** As if the member had joined before the release of the new version. */
async function knowsOld({ db }: TestService, { memberId }: TestMember): Promise<void> {
  await db.updateTable("members").set({ terms_version: OLD }).where("member_no", "=", memberId).execute();
}

test("stores and exports both consents of a sign-up with version and time", async () => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  service.clock.set("2027-03-04T05:06:07.000Z");
  const email = "consents@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  service.clock.advance(3 * MINUTE_MS);
  await service.call(register, signUpForm({ email, code }));
  const { member_no } = await service.db.selectFrom("members").select("member_no").executeTakeFirstOrThrow();
  const hanako = await logInAgain(service, {
    ...(await service.member("other", { at: null })),
    user_id: "hanako",
    memberId: member_no,
  });

  const { data } = await exportOf(hanako);

  const time = "2027-03-04T05:06:00.000Z"; // of the ticks
  expect(data["consents"]).toEqual({
    terms: { version: TERMS_VERSION, time },
    privacy: { version: PRIVACY_VERSION, time },
    earlier: [],
  });
});

test("announces a due consent with each response, and waits for it after 30 days", async () => {
  const service = await serviceForTest(changed);
  service.clock.set("2026-05-31T23:59:00Z");
  await service.member("taro");
  const joined = await service.member("hanako");
  await knowsOld(service, joined);
  const at = async (time: string) => {
    service.clock.set(time);
    return logInAgain(service, joined);
  };
  const announced = async (member: TestMember) => {
    const responses = await Promise.all([
      member.fetch("/en/users/api/user"),
      member.fetch("/en/users/api/blocks", { headers: { "time-zone": "UTC" } }),
      member.fetch("/en/users/api/get-user?userId=nobody-there"),
      member.fetch("/en/users/api/block", { method: "POST" }),
    ]);
    return [...new Set(responses.map(({ headers }) => headers.get(CONSENT_REQUIRED_FROM)))];
  };
  const isDue = async (member: TestMember) => (await member.call(getOwnUser, {})).user.consent_due;
  expect([await isDue(joined), await announced(joined)]).toEqual([false, [null]]);

  let hanako = await at("2026-06-01T00:00:00Z");
  expect([await isDue(hanako), await announced(hanako)]).toEqual([true, [NEW]]);
  expect(await hanako.call(getConsent, {})).toEqual({
    terms: { version: NEW, agreed_version: OLD },
    privacy: { version: OLD, agreed_version: OLD },
  });
  const newcomer = await service.member("newcomer", { at: null });
  expect([await isDue(newcomer), await announced(newcomer)]).toEqual([false, [null]]);

  hanako = await at("2026-06-30T23:59:00Z");
  await hanako.call(likeUser, { likedId: "newcomer" });
  hanako = await at("2026-07-01T00:00:00Z");
  const { status } = await expectError(hanako.call(likeUser, { likedId: "newcomer" }), "consent_required");
  expect(status).toBe(403);
  for (const call of [getOwnUser, getOptions, getOrders, getWsTicket]) await hanako.call(call, {});
  await hanako.call(confirmPassword, { password: "anything" });
  expect(await announced(hanako)).toEqual([NEW]);

  const outdated = giveConsent;
  await expectError(hanako.call(outdated, { terms_version: OLD, privacy_version: OLD }), "invalid_input");
  await hanako.call(giveConsent, { terms_version: NEW, privacy_version: OLD });
  await hanako.call(giveConsent, { terms_version: NEW, privacy_version: OLD });
  await hanako.call(likeUser, { likedId: "newcomer" });
  expect([await isDue(hanako), await announced(hanako)]).toEqual([false, [null]]);
  const { data } = await exportOf(hanako);
  expect(data["consents"]).toMatchObject({
    terms: { version: NEW, time: "2026-07-01T00:00:00.000Z" },
    privacy: { version: OLD },
    earlier: [{ document: "terms" }],
  });
});

test("counts the 30 days from the first version that lacks a consent, also an unknown one", async () => {
  const three = { terms: [version("2026-07-20"), ...legalVersions.terms], privacy: legalVersions.privacy };
  const service = await serviceForTest({ config: { legalVersions: three } });
  service.clock.set("2026-07-25T12:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  const from = async (terms_version: string) => {
    await service.db.updateTable("members").set({ terms_version }).execute();
    return (await hanako.fetch("/en/users/api/user")).headers.get(CONSENT_REQUIRED_FROM);
  };

  expect(await from(OLD)).toBe(NEW);
  expect(await from(NEW)).toBe("2026-07-20");
  expect(await from("2026-07-20")).toBeNull();
  expect(await from("2025-05-05")).toBe(OLD);
});

test("leaves open without consent what reading, leaving and protecting the account need", () => {
  const open = calls.filter(({ access, withoutConsent }) => access === "member" && withoutConsent);

  expect(open.filter(({ method }) => method !== "GET").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["deleteAccount", "confirmPassword", "getExportTicket", "giveConsent"]),
  );
  for (const name of ["captureOrder", "likeUser", "sendDm", "saveProfile", "createOrder"])
    expect(open.map((call) => call.name)).not.toContain(name);
});

test("emails members 14 days before a version holds, once and in their language", async () => {
  const service = await serviceForTest(changed);
  service.clock.set("2026-05-17T12:00:00Z");
  for (const language of languages) {
    const member = await service.member(`terms-${language}`, { at: null });
    await knowsOld(service, member);
    await service.db
      .updateTable("members")
      .set({ language })
      .where("member_no", "=", member.memberId)
      .execute();
  }
  await service.member("terms-agreed", { at: null });
  const run = async () => {
    await service.ctx.jobs.add(service.db, "announce_versions", {});
    await eventually(async () => {
      expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0);
      expect(await storedEmailJobs(service)).toEqual([]);
    });
  };

  await run();
  expect(mailbox.emails("terms-en@example.com")).toEqual([]);
  service.clock.advance(DAY_MS);
  await run();
  await run();

  for (const language of languages) {
    const [email, ...more] = mailbox.emails(`terms-${language}@example.com`);
    expect(email!.text).toContain("2026/06/01");
    expect(email!.subject + email!.text).not.toMatch(
      /match|marri|dating|member|結婚|既婚|已婚|交友|会员|會員/i,
    );
    expect(more).toEqual([]);
  }
  expect(mailbox.emails("terms-agreed@example.com")).toEqual([]);
});
