import { afterAll, expect, test } from "vitest";
import { calls } from "@alcove/contract";
import {
  confirmPassword,
  deleteAccount,
  exportData,
  getExportTicket,
  getOwnUser,
  logIn,
  logOut,
  refreshTokens,
} from "@alcove/contract/accounts";
import { appealCase, contestReport, getCase, getReports } from "@alcove/contract/cases";
import { getUser, likeUser } from "@alcove/contract/discovery";
import { getOrders, getReceipt, previewWithdrawal, withdraw } from "@alcove/contract/membership";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { getStoredData } from "@alcove/contract/stored-data";
import { getThreatEvidence, pressThreat, reportUser } from "@alcove/contract/safety";
import { allTranslations } from "@alcove/i18n/all";
import { startMailbox } from "@alcove/test-services/mail";
import { openSession } from "../accounts/index.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { BY_OTHER, decide, readOpenReports } from "../testing/cases.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { expectError, type TestService } from "../testing/test-service.ts";
import { suspendAccount } from "./accounts.ts";
import { decideAppeal } from "./appeals.ts";
import { applyDecisions, type Decision } from "./decide.ts";
import { endDecisions } from "./effects.ts";
import { lookAtCase } from "./queue.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const options = { config: { smtpUrl: mailbox.url } };
const picture = await quarters().jpeg().toBuffer();

/** Hanako has reported a message of Taro's with a picture. */
async function reported() {
  const service = await serviceForTest(options);
  service.clock.set("2026-05-05T12:20:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  const file = fileOf(picture);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Send money.", file });
  await hanako.call(reportUser, { userId: "taro", reason: "harassment", dmId: dm.id });
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(service.ctx);
  return { service, hanako, taro, caseNo };
}

/** Decided about fraud, so that it is announced at the next full hour. */
async function announcedToTaro(decision: Partial<Decision>) {
  const world = await reported();
  const { service, caseNo } = world;
  await decide(service.ctx, caseNo, { rule: "fraud", ...decision });
  service.clock.advance(HOUR_MS);
  await applyDecisions(service.ctx);
  return { ...world, ...(await logInBoth(world)) };
}

async function logInBoth({ service, hanako, taro }: Awaited<ReturnType<typeof reported>>) {
  return { hanako: await logInAgain(service, hanako), taro: await logInAgain(service, taro) };
}

async function announcedAt(service: TestService): Promise<string> {
  const [row] = await service.db.selectFrom("case_decisions").select("effective_at").execute();
  return row!.effective_at.toISOString();
}

test.each([
  ["harassment", "Asia/Tokyo", "2026-05-07T00:00:00.000Z"], // 09:00, more than 12 hours after 13:00 UTC
  ["spam", "America/New_York", "2026-05-06T13:00:00.000Z"],
  ["other", "Asia/Kolkata", "2026-05-06T03:30:00.000Z"],
  ["fraud", "Asia/Tokyo", "2026-05-05T13:00:00.000Z"],
  ["threat", null, "2026-05-05T13:00:00.000Z"],
  ["underage", null, "2026-05-05T13:00:00.000Z"],
] as const)("announces a decision about %s to a member in %s at %s", async (rule, zone, at) => {
  const { service, taro, caseNo } = await reported();
  await service.db
    .updateTable("members")
    .set({ time_zone: zone ?? "UTC" })
    .where("member_no", "=", taro.memberId)
    .execute();

  await decide(service.ctx, caseNo, { decision: "warn", rule });

  expect(await announcedAt(service)).toBe(at);
});

test("postpones a decision while new reports arrive, three days at most", async () => {
  const { service, caseNo } = await reported();
  await decide(service.ctx, caseNo, { decision: "warn", rule: "harassment" });
  const morning = new Date(await announcedAt(service));

  for (let day = 0; day <= 3; day++) {
    service.clock.set(new Date(morning.getTime() + day * DAY_MS - HOUR_MS).toISOString());
    const reporter = await service.member(`reporter-${day}`, { at: null });
    await reporter.call(reportUser, { userId: "taro", reason: "spam" });
    service.clock.advance(HOUR_MS);
    await applyDecisions(service.ctx);
    const [row] = await service.db.selectFrom("case_decisions").select("state").execute();
    expect(row!.state).toBe(day < 3 ? "waiting" : "announced");
  }
});

test("opens for a suspended member the named calls only, and announces rule, content and decision", async () => {
  const { service, taro, caseNo } = await announcedToTaro({ decision: "suspend", reason: "sold watches" });
  const { access, refresh, scope } = await openSession(service.ctx, taro.memberId);
  const open = [
    appealCase,
    confirmPassword,
    deleteAccount,
    exportData,
    getCase,
    getExportTicket,
    getOrders,
    getReceipt,
    getStoredData,
    getThreatEvidence,
    pressThreat,
    previewWithdrawal,
    reportUser,
    withdraw,
  ].map(({ name }) => name);

  for (const call of calls.filter((one) => one.access === "member" && !open.includes(one.name))) {
    const { status, body } = await respond(service, access, call);
    expect([call.name, status, body.code]).toEqual([call.name, 401, "account_suspended"]);
  }
  expect(calls.flatMap((call) => (call.forCase ? call.name : [])).toSorted()).toEqual(open.toSorted());
  expect(scope).toBe("case");
  await expectError(taro.call(getOwnUser, {}), "account_suspended");
  const announced = await taro.call(getCase, {});
  expect(announced.case).toEqual({
    number: String(caseNo),
    rule: "fraud",
    facts: `${allTranslations.en.caseFacts.rule_fraud} ${allTranslations.en.caseFacts.about_message}`,
    decision: "suspend",
    decided_on: "2026-05-05",
    until: null,
    is_reversed: false,
    can_appeal: true,
    appeal: null,
  });
  expect(JSON.stringify(announced)).not.toMatch(/watches|Send money|hanako/);
  const email = await mailbox.waitForEmail("taro@example.com");
  expect(email.text).not.toMatch(/suspen|fraud|watches|case/i);
  await taro.call(getOrders, {});
  const { ticket } = await taro.call(getExportTicket, {});
  expect((await fetch(`${service.url}/en${exportData.path}?ticket=${ticket}`)).status).toBe(200);
  expect(await service.call(refreshTokens, { refresh })).toMatchObject({ scope: "case" });
  await taro.call(deleteAccount, {});
});

/** Without input: the session is checked before it. */
async function respond(service: TestService, access: string, call: (typeof calls)[number]) {
  const response = await fetch(`${service.url}/en${call.path}`, {
    method: call.method,
    headers: { authorization: `Bearer ${access}` },
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
}

test("restores a suspended member after an appeal that another operator decides, once", async () => {
  const { service, hanako, taro, caseNo } = await announcedToTaro({ decision: "ban" });
  await expectError(hanako.call(getUser, { userId: "taro" }), "user_not_found");

  await taro.call(appealCase, { text: "It was my brother." });
  await expectError(taro.call(appealCase, { text: "Once more." }), "already_appealed");
  const appeal = { outcome: "reverse", reason: "his brother" } as const;
  const bySame = decideAppeal(service.ctx, caseNo, {
    ...appeal,
    by: { operatorId: null, hasColleague: true },
  });
  await expect(bySame).rejects.toMatchObject({ code: "other_operator_needed" });
  const decided = await Promise.all(
    [1, 2, 3].map(() => decideAppeal(service.ctx, caseNo, { ...appeal, by: BY_OTHER })),
  );

  expect(decided.filter(Boolean)).toHaveLength(1);
  await expectError(taro.call(getCase, {}), "login_required");
  const again = await logInAgain(service, taro);
  expect((await again.call(getCase, {})).case).toMatchObject({
    is_reversed: true,
    appeal: { text: "It was my brother.", state: "reversed" },
  });
  await again.call(getOwnUser, {});
  expect((await mailbox.waitForEmail("taro@example.com", 2)).text).not.toMatch(/appeal|ban|case/i);
});

test("closes the appeal with the evidence, 180 days after the decision, but keeps what still stands", async () => {
  const { service, taro } = await announcedToTaro({ decision: "ban" });
  service.clock.advance(181 * DAY_MS);

  const late = await logInAgain(service, taro);
  await expectError(late.call(appealCase, { text: "Now." }), "appeal_closed");
  expect((await late.call(getCase, {})).case).toMatchObject({ decision: "ban", can_appeal: false });
});

test("ends a suspension and a limit after their days", async () => {
  const { service, taro } = await announcedToTaro({ decision: "suspend", days: 3 });
  expect((await taro.call(getCase, {})).case?.until).toBe("2026-05-08T14:00:00.000Z");
  service.clock.advance(3 * DAY_MS + HOUR_MS);
  await endDecisions(service.ctx);
  expect((await (await logInAgain(service, taro)).call(getOwnUser, {})).user.user_id).toBe("taro");
});

test("suspends for good who was suspended for days, by the command for emergencies", async () => {
  const { service, taro } = await announcedToTaro({ decision: "suspend", days: 3 });
  const by = { operatorId: null, hasColleague: false };
  for (let repeated = 0; repeated < 2; repeated++)
    await suspendAccount(service.ctx, taro.memberId, { by, reason: null });
  service.clock.advance(3 * DAY_MS + HOUR_MS);
  await endDecisions(service.ctx);

  const again = await logInAgain(service, taro);
  await expectError(again.call(getOwnUser, {}), "account_suspended");
  expect((await again.call(getCase, {})).cases).toHaveLength(2);
});

test("limits likes, and announces until when", async () => {
  const { service, taro } = await announcedToTaro({ decision: "limit", days: 2 });
  await service.member("jiro", { sex: "female" });

  const error = await expectError(taro.call(likeUser, { likedId: "jiro" }), "likes_limited");

  expect(error).toMatchObject({ status: 422, body: { until: "2026-05-07T14:00:00.000Z" } });
  service.clock.advance(2 * DAY_MS + HOUR_MS);
  await (await logInAgain(service, taro)).call(likeUser, { likedId: "jiro" });
});

test("keeps the longer of two limits, and the appeal against a decision that a later one followed", async () => {
  const { service, hanako, taro: before } = await announcedToTaro({ decision: "limit", days: 30 });
  await hanako.call(reportUser, { userId: "taro", reason: "spam" });
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(service.ctx);
  await decide(service.ctx, caseNo, { decision: "limit", rule: "fraud", days: 1 });
  service.clock.advance(HOUR_MS);
  await applyDecisions(service.ctx);
  await service.member("jiro", { sex: "female" });
  const taro = await logInAgain(service, before);

  const error = await expectError(taro.call(likeUser, { likedId: "jiro" }), "likes_limited");
  expect(error).toMatchObject({ body: { until: "2026-06-04T14:00:00.000Z" } });

  await taro.call(appealCase, { text: "The second." });
  await taro.call(appealCase, { text: "The first." });
  await expectError(taro.call(appealCase, { text: "Once more." }), "already_appealed");
  const { cases } = await taro.call(getCase, {});
  expect(cases.map(({ appeal }) => appeal?.text)).toEqual(["The second.", "The first."]);
});

test("removes pictures, texts and images of messages, and puts them back after an appeal", async () => {
  for (const content of ["picture", "text", "image"] as const) {
    const { service, hanako, taro, caseNo } = await reported();
    await taro.call(saveProfile, { icon: fileOf(picture), icon_process: false, description: "Hello there." });
    const see = async () => {
      const { hanako: her } = await logInBoth({ service, hanako, taro, caseNo });
      const { user } = await her.call(getUser, { userId: "taro" });
      const [message] = (await her.call(getDms, { friendId: "taro" })).dms;
      const image = await her.fetch(message!.file!);
      return [user.icon.includes("/media/i/"), user.description, image.status];
    };
    const before = await see();
    expect(before).toEqual([true, "Hello there.", 200]);

    await decide(service.ctx, caseNo, { decision: "remove", rule: "fraud", content });
    service.clock.advance(HOUR_MS);
    await applyDecisions(service.ctx);
    expect(await see()).toEqual([
      content !== "picture",
      content === "text" ? "" : before[1],
      content === "image" ? 404 : 200,
    ]);

    await (await logInAgain(service, taro)).call(appealCase, { text: "It is fine." });
    await decideAppeal(service.ctx, caseNo, { outcome: "reverse", reason: "fine", by: BY_OTHER });
    expect(await see()).toEqual(before);
  }
});

test("shows a reporter number and state, and reopens a case without action once for another operator", async () => {
  const { service, hanako, taro, caseNo } = await reported();
  await taro.call(reportUser, { userId: "hanako", reason: "fake" });
  const own = async () => (await hanako.call(getReports, {})).reports;
  const [first] = await own();
  expect(first).toEqual({
    number: expect.stringMatching(/^\d{12}$/) as string,
    reason: "harassment",
    state: "received",
    outcome: null,
    contested: false,
    created_on: "2026-05-05",
  });
  expect(first!.number).not.toBe(String(caseNo));
  const contest = { number: first!.number, text: "Read it again." };
  await expectError(hanako.call(contestReport, contest), "conflict");
  await expectError(taro.call(contestReport, contest), "not_found");

  await lookAtCase(service.ctx, caseNo);
  expect((await own())[0]).toMatchObject({ state: "looked_at", outcome: null });
  await decide(service.ctx, caseNo);
  expect((await own())[0]).toMatchObject({ state: "decided", outcome: "no_action" });
  await hanako.call(contestReport, contest);
  expect((await own())[0]).toMatchObject({ state: "received", outcome: null, contested: true });
  await decide(service.ctx, caseNo, { decision: "warn" });
  expect((await own())[0]).toMatchObject({ state: "decided", outcome: "acted" });
  await expectError(hanako.call(contestReport, contest), "already_contested");
});

test("does nothing to a member whom ten accounts report, without a human", async () => {
  const { service, taro } = await reported();
  for (let i = 0; i < 10; i++) {
    const reporter = await service.member(`crowd-${i}`, { at: null });
    await reporter.call(reportUser, { userId: "taro", reason: "underage" });
  }
  service.clock.advance(14 * DAY_MS);
  await applyDecisions(service.ctx);

  const again = await logInAgain(service, taro);
  expect(await again.call(getCase, {})).toMatchObject({ case: null, cases: [] });
  expect(
    await service.call(logIn, { user_id: "taro", password: "x" }).catch((e: unknown) => e),
  ).toMatchObject({
    code: "wrong_credentials",
  });
  await service.call(logOut, { token: again.refresh });
});
