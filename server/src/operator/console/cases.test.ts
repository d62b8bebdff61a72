import { afterAll, expect, test } from "vitest";
import {
  createCoupon,
  decideCase,
  disableCoupon,
  getCases,
  getCoupons,
  getLog,
  getPayments,
  grantAccount,
  listSameNetwork,
  lookUpMember,
  objectToNotice,
  openCase,
  readCasePicture,
  releaseCase,
  restoreAccount,
  suspendAccount,
} from "@alcove/contract/console";
import type { InputOf } from "@alcove/contract";
import { getOwnUser } from "@alcove/contract/accounts";
import { getReports } from "@alcove/contract/cases";
import { sendDm } from "@alcove/contract/messaging";
import { sendNotice } from "@alcove/contract/notices";
import { reportUser } from "@alcove/contract/safety";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { announceDecisions } from "../../testing/cases.ts";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import { rounds } from "../../testing/rounds.ts";
import { operatorOf } from "../../testing/console.ts";
import { dumpTables, encodingsOf, placesWith } from "../../testing/data-traces.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro } from "../../testing/match.ts";
import { ownService } from "../../testing/service-for-test.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { voiceFile, wavOf } from "../../testing/sample-voices.ts";
import { expectError } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const picture = await quarters().jpeg().toBuffer();

/** Hanako has reported one of three messages of Taro's. */
async function reportedMessage() {
  const service = await ownService({ config: { consolePort: 0, smtpUrl: mailbox.url } });
  const { hanako, taro } = await hanakoAndTaro(service);
  await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
  const file = fileOf(picture);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "I know your street.", file });
  await hanako.call(sendDm, { receiverId: "taro", description: "Please stop." });
  const form = {
    userId: "taro",
    reason: "harassment",
    detail: "He writes every night.",
    dmId: dm.id,
  } as const;
  await hanako.call(reportUser, form);
  const sato = await operatorOf(service, "Sato");
  const [listed] = (await sato.call(getCases, {})).cases;
  return { service, hanako, taro, sato, id: listed!.id, listed };
}

const actionsOf = async (sato: Awaited<ReturnType<typeof operatorOf>>) =>
  (await sato.call(getLog, {})).entries.map(({ operator, action, subject, reason }) => [
    operator,
    action,
    subject,
    reason,
  ]);

test("shows of a chat the reported message only, after the look is logged", async () => {
  const { sato, id, listed } = await reportedMessage();

  expect(listed).toMatchObject({ kind: "report", reason: "harassment", has_message: true, claimed_by: null });
  expect(listed).toMatchObject({ reports: 1 });
  expect(JSON.stringify(listed)).not.toMatch(/taro|hanako|night|street/);
  const opened = await sato.call(openCase, { id });
  const entry = opened.case.entries[0]!.id;
  const { jpeg } = await sato.call(readCasePicture, { id, entry });

  expect(opened.case).toMatchObject({
    user_id: "taro",
    status: "active",
    entries: [
      {
        reason: "harassment",
        reporter: "hanako",
        detail: "He writes every night.",
        kind: "message",
        text: "I know your street.",
        pictures: 1,
      },
      { reason: null, kind: "profile" },
    ],
    earlier: [],
  });
  expect(JSON.stringify(opened)).not.toMatch(/Good evening|Please stop/);
  expect(Buffer.from(jpeg!, "base64").subarray(0, 3).toString("hex")).toBe("ffd8ff");
  expect(await actionsOf(sato)).toEqual([
    ["Sato", "log list", null, null],
    ["Sato", `cases picture ${id}`, "taro", null],
    ["Sato", `cases open ${id}`, "taro", null],
    ["Sato", "cases list", null, null],
    ["Sato", "passkeys register", null, null],
  ]);
});

test("plays a reported voice note to the operator, with its text", async () => {
  const service = await ownService({ config: { consolePort: 0, smtpUrl: mailbox.url } });
  const { hanako, taro } = await hanakoAndTaro(service);
  const note = { receiverId: "hanako", voice: voiceFile(), voice_text: "I know your street." };
  const { dm } = await taro.call(sendDm, note);
  await hanako.call(reportUser, { userId: "taro", reason: "harassment", dmId: dm.id });
  const sato = await operatorOf(service, "Sato");
  const { id } = (await sato.call(getCases, {})).cases[0]!;

  const { case: opened } = await sato.call(openCase, { id });
  const heard = await sato.call(readCasePicture, { id, entry: opened.entries[0]!.id });

  const entry = {
    kind: "message",
    text: null,
    voice_text: "I know your street.",
    pictures: 1,
    voice_notes: [0],
  };
  expect(opened.entries[0]).toMatchObject(entry);
  expect(heard).toEqual({ jpeg: null, wav: wavOf().toString("base64") });
});

test("shows nothing when the look cannot be logged", async () => {
  const { service, sato, id } = await reportedMessage();
  await sato.call(openCase, { id });
  await sql`alter table operator_log add constraint no_more check (false) not valid`.execute(service.db);

  const about = { userId: "taro", reason: "asked" };
  for (const look of [
    () => sato.call(openCase, { id }),
    () => sato.call(readCasePicture, { id, entry: randomUUID() }),
    () => sato.call(decideCase, { id, decision: "suspend", rule: "threat", reason: "threats" }),
    () => sato.call(lookUpMember, about),
    () => sato.call(suspendAccount, about),
  ])
    expect((await expectError(look(), "fault")).status).toBe(500);

  const members = service.db.selectFrom("members").select("account_status");
  expect(await members.where("account_status", "=", "suspended").execute()).toEqual([]);
});

test("opens and closes all reports about a member as one case, but none that came after the look", async () => {
  const { service, hanako, sato, id } = await reportedMessage();
  const jiro = await service.member("jiro", { at: null });
  await jiro.call(reportUser, { userId: "taro", reason: "fake", detail: "His picture is from a film." });
  await jiro.call(reportUser, { userId: "hanako", reason: "other" });
  const [his, hers] = (await sato.call(getCases, {})).cases;
  expect([his, hers]).toMatchObject([
    { id, reports: 2, reason: "harassment" },
    { reports: 1, reason: "other" },
  ]);

  const { entries } = (await sato.call(openCase, { id })).case;
  expect(entries.map(({ reporter, reason }) => [reporter, reason])).toEqual([
    ["hanako", "harassment"],
    ["jiro", "fake"],
    [null, null],
  ]);
  await hanako.call(reportUser, { userId: "taro", reason: "harassment", detail: "Again." });
  await jiro.call(reportUser, { userId: "taro", reason: "underage" });
  await sato.call(decideCase, { id, decision: "none", rule: "other", reason: "a joke" });

  const { cases } = await sato.call(getCases, {});
  expect(cases).toMatchObject([
    { reports: 2, reason: "underage" },
    { reports: 1, reason: "other" },
  ]);
  const again = (await sato.call(openCase, { id: cases[0]!.id })).case;
  expect(again.entries.map(({ reason, detail }) => [reason, detail])).toEqual([
    ["underage", null],
    ["harassment", "Again."],
    [null, null],
  ]);
  expect(again.earlier).toEqual(["none"]);
  await sato.call(decideCase, { id: cases[0]!.id, decision: "none", rule: "other", reason: "settled" });
  expect((await sato.call(getCases, {})).cases).toHaveLength(1);
});

test("shows no picture of another case, and opens a case only by its own number", async () => {
  const { service, hanako, taro, sato, id } = await reportedMessage();
  const { dm } = await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await taro.call(reportUser, { userId: "hanako", reason: "spam", dmId: dm.id });
  const reports = await service.db.selectFrom("reports").select(["report_no", "case_no", "reason"]).execute();
  const spam = reports.find(({ reason }) => reason === "spam")!;

  await expectError(sato.call(openCase, { id: String(spam.report_no) }), "not_found");
  const other = (await sato.call(openCase, { id: String(spam.case_no) })).case;
  await sato.call(openCase, { id });
  await expectError(sato.call(readCasePicture, { id, entry: other.entries[0]!.id }), "not_found");
  await sato.call(readCasePicture, { id: other.id, entry: other.entries[0]!.id });
});

test("lists cases in pages of fifty, those about danger before older ones", async () => {
  const { service, hanako, sato, id } = await reportedMessage();
  await service.member("late", { at: null });
  await sql`
    insert into cases (case_no, kind, accused_no, key_id, rank, sequence_no, opened_on, newest_report_at)
    select 200000000000 + i, 'report', 900000 + i, 1, 1, nextval('case_sequence'), ${service.clock.now()}, ${service.clock.now()}
    from generate_series(1, 60) i`.execute(service.db);
  await hanako.call(reportUser, { userId: "late", reason: "underage" });

  const [first, second] = [await sato.call(getCases, {}), await sato.call(getCases, { page: 2 })];

  expect([first.cases.length, first.has_more]).toEqual([50, true]);
  expect([second.cases.length, second.has_more]).toEqual([12, false]);
  expect(first.cases.slice(0, 2)).toMatchObject([{ reason: "underage" }, { id }]);
  expect(new Set([...first.cases, ...second.cases].map((one) => one.id)).size).toBe(62);
});

test("lists cases by state, kind, rule and number, also of a report", async () => {
  const { service, hanako, sato, id } = await reportedMessage();
  await service.member("jiro", { at: null });
  await hanako.call(reportUser, { userId: "jiro", reason: "threat" });
  const found = async (filter: InputOf<typeof getCases>) =>
    (await sato.call(getCases, filter)).cases.map((one) => [one.kind, one.state]);
  const [report] = (await hanako.call(getReports, {})).reports;

  expect(await found({ kind: "threat" })).toEqual([["threat", "open"]]);
  expect(await found({ state: "looked_at" })).toEqual([]);
  await sato.call(openCase, { id });
  expect(await found({ state: "looked_at" })).toEqual([["report", "looked_at"]]);
  await sato.call(decideCase, { id, decision: "warn", rule: "harassment", reason: "rude" });
  expect(await found({})).toEqual([["threat", "open"]]);
  for (const filter of [
    { state: "decided" },
    { state: "decided", rule: "harassment" },
    { number: id },
  ] as const)
    expect(await found(filter)).toEqual([["report", "decided"]]);
  expect(await found({ number: report!.number })).toEqual([["threat", "open"]]);
  expect(await found({ state: "decided", rule: "fraud" })).toEqual([]);
  expect(await found({ number: "123456789012" })).toEqual([]);
});

test("opens a decided notice again for an objection that came by email, once, for another operator", async () => {
  const service = await ownService({ config: { consolePort: 0, smtpUrl: mailbox.url } });
  const { number: id } = await service.call(sendNotice, {
    kind: "illegal",
    text: "An advertisement.",
    name: "Akiko",
    email: "notifier@example.com",
    good_faith: "yes",
  });
  const [sato, suzuki] = [await operatorOf(service, "Sato"), await operatorOf(service, "Suzuki")];
  const decision = { id, decision: "none", rule: "other", reason: "no breach" } as const;
  const objection = { id, text: "Look again, please." };
  expect((await sato.call(openCase, { id })).case).toMatchObject({ is_closed: false, can_object: false });
  await expectError(sato.call(objectToNotice, objection), "conflict");
  await sato.call(decideCase, decision);
  await service.ctx.jobs.add(service.db, "answer_notices", {});
  await mailbox.waitForEmail("notifier@example.com", 2);

  expect((await sato.call(openCase, { id })).case).toMatchObject({ is_closed: true, can_object: true });
  await sato.call(objectToNotice, objection);
  const again = (await sato.call(openCase, { id })).case;
  expect(again).toMatchObject({ is_closed: false, can_object: false });
  expect(again.entries.at(-1)).toMatchObject({ kind: "text", text: objection.text });
  await expectError(sato.call(decideCase, decision), "other_operator_needed");
  await sato.call(releaseCase, { id });
  await suzuki.call(openCase, { id });
  await suzuki.call(decideCase, decision);
  await service.ctx.jobs.add(service.db, "answer_notices", {});
  expect((await mailbox.waitForEmail("notifier@example.com", 3)).text).toContain("once more");
});

test("lets one of two operators act when both open and decide at the same time", async () => {
  const { service, sato, id } = await reportedMessage();
  const suzuki = await operatorOf(service, "Suzuki");
  const both = [sato, suzuki];

  const opened = await Promise.allSettled(both.map((one) => one.call(openCase, { id })));
  expect(opened.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [holder, other] = opened[0]!.status === "fulfilled" ? [sato, suzuki] : [suzuki, sato];
  await expectError(other.call(openCase, { id }), "case_taken");
  await expectError(other.call(readCasePicture, { id, entry: randomUUID() }), "case_taken");
  const decision = { id, decision: "none", rule: "other", reason: "a joke" } as const;
  await expectError(other.call(decideCase, decision), "case_taken");
  expect((await other.call(getCases, {})).cases[0]).toMatchObject({ is_mine: false });

  const decided = await Promise.allSettled([1, 2, 3].map(() => holder.call(decideCase, decision)));
  expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await sato.call(getCases, {})).cases).toEqual([]);
});

test("acts once when a claim expires while its owner decides", async () => {
  const { service, sato, id } = await reportedMessage();
  const suzuki = await operatorOf(service, "Suzuki");
  for (let round = 0; round < rounds(10); round++) {
    await sql`update cases set decided_on = null, keep_until = null`.execute(service.db);
    await sql`delete from case_decisions`.execute(service.db);
    await sql`delete from case_claims`.execute(service.db);
    await sato.call(openCase, { id });
    await sql`update case_claims set expires_at = ${service.clock.now()}`.execute(service.db);

    const [mine, theirs] = await Promise.allSettled([
      sato.call(decideCase, { id, decision: "none", rule: "other", reason: "settled" }),
      suzuki
        .call(openCase, { id })
        .then(() => suzuki.call(decideCase, { id, decision: "none", rule: "other", reason: "a joke" })),
    ]);

    expect([mine.status, theirs.status]).toEqual(["rejected", "fulfilled"]);
  }
});

test("returns a case to the queue when its operator releases it, or after 15 minutes", async () => {
  const { service, sato, id } = await reportedMessage();
  const suzuki = await operatorOf(service, "Suzuki");
  await sato.call(openCase, { id });
  await sato.call(releaseCase, { id });
  await suzuki.call(openCase, { id });
  service.clock.advance(14 * MINUTE_MS);
  await expectError(sato.call(openCase, { id }), "case_taken");
  await suzuki.call(getCases, {});
  service.clock.advance(MINUTE_MS);

  const late = suzuki.call(decideCase, {
    id,
    decision: "none",
    rule: "other",
    reason: "settled",
  });
  await expectError(late, "case_taken");
  await sato.call(openCase, { id });
});

test("suspends with an encrypted reason at the next full hour, and restores after it", async () => {
  const { service, taro, id, ...world } = await reportedMessage();
  let { sato } = world;
  await sato.call(openCase, { id });

  await sato.call(decideCase, {
    id,
    decision: "suspend",
    rule: "threat",
    reason: "threatened another member",
  });
  await announceDecisions(service.ctx);
  await taro.call(sendDm, { receiverId: "hanako", description: "Not yet announced." });
  service.clock.advance(HOUR_MS);
  await announceDecisions(service.ctx);

  await expectError((await logInAgain(service, taro)).call(getOwnUser, {}), "account_suspended");
  sato = await operatorOf(service, "Suzuki");
  const { member } = await sato.call(lookUpMember, { userId: "taro", reason: "a question" });
  expect(member).toMatchObject({ status: "suspended", suspension_reason: "threatened another member" });
  expect(member.reports).toMatchObject([{ side: "received", outcome: "suspend" }]);
  const stored = await dumpTables(service.databaseUrl);
  expect(placesWith(encodingsOf("threatened another"), stored)).toEqual([]);

  const restored = await sato.call(restoreAccount, { userId: "taro", reason: "a mistake" });

  expect(restored.member).toMatchObject({ status: "active", suspension_reason: null });
  for (const email of [1, 2].map((count) => mailbox.waitForEmail("taro@example.com", count)))
    expect((await email).text).not.toMatch(/threat|hanako|taro|match|marri|dating|suspen|report/i);
});

test("sends one neutral email about a suspension, in the member's language", async () => {
  const service = await ownService({ config: { consolePort: 0, smtpUrl: mailbox.url } });
  const sato = await operatorOf(service, "Sato");
  for (const language of languages) {
    const userId = `ended-${language}`;
    const { memberId } = await service.member(userId, { at: null });
    await sql`update members set language = ${language} where member_no = ${memberId}`.execute(service.db);

    await sato.call(suspendAccount, { userId, reason: "sells watches" });
    const { member } = await sato.call(suspendAccount, { userId, reason: "again" });

    const email = await mailbox.waitForEmail(`${userId}@example.com`);
    expect(email.text).toContain(allTranslations[language].emails.caseNews);
    expect(email.subject + email.text + email.html).not.toMatch(
      /watch|match|marri|dating|結婚|既婚|已婚|交友|婚|ended-|suspen|停/i,
    );
    expect(member.suspension_reason).toBe("sells watches");
  }
  for (const language of languages) expect(mailbox.emails(`ended-${language}@example.com`)).toHaveLength(1);
});

test("requires a reason for each look at a member, and logs it also for an unknown one", async () => {
  const { sato } = await reportedMessage();
  const grantId = "0b7c7d0e-5c1d-4f6a-9d8e-3f2a1b0c9d8e";
  const plan = { year: 0, month: 1, grantId };

  for (const call of [lookUpMember, listSameNetwork, suspendAccount, restoreAccount])
    for (const reason of ["", "  "])
      await expectError(sato.call(call, { userId: "taro", reason }), "invalid_input");
  await expectError(sato.call(grantAccount, { userId: "taro", reason: " ", ...plan }), "invalid_input");
  await expectError(sato.call(lookUpMember, { userId: "nobody1", reason: "a letter" }), "user_not_found");
  const { member } = await sato.call(lookUpMember, { userId: "TARO", reason: "a letter" });
  for (let i = 0; i < 2; i++)
    await sato.call(grantAccount, { userId: "taro", reason: "bank transfer", ...plan });

  expect(member).toMatchObject({ user_id: "taro", grants: [{ source: "operator" }], same_network: 0 });
  expect(JSON.stringify(member)).not.toMatch(/street|example\.com/);
  const { member: after } = await sato.call(lookUpMember, { userId: "taro", reason: "check" });
  expect(after.grants).toHaveLength(2);
  expect((await actionsOf(sato)).slice(1)).toEqual(
    expect.arrayContaining([
      ["Sato", "members show", null, "a letter"],
      ["Sato", "members show", "taro", "a letter"],
      ["Sato", `members grant year=0 month=1 id=${grantId}`, "taro", "bank transfer"],
    ]),
  );
});

test("grants no membership and makes no coupon beyond ten years, in the language of the operator", async () => {
  const { service, sato } = await reportedMessage();
  const give = (year: number, month: number) => {
    const grantId = randomUUID();
    return sato.call(grantAccount, { userId: "taro", reason: "bank transfer", year, month, grantId }, "ja");
  };
  const refusal = {
    error_message: "会員期間は、今日から最長10年までです。",
    validation_errors: { year: ["plan_too_long"] },
  };

  for (const [year, month] of [
    [100, 0],
    [10, 1],
    [0, 121],
  ] as const)
    expect((await expectError(give(year, month), "invalid_input")).body).toMatchObject(refusal);
  await give(9, 0);
  expect((await expectError(give(1, 1), "invalid_input")).body).toMatchObject(refusal);

  const expires_on = new Date(service.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const coupon = { id: "spring", year: 10, max_uses: 3, expires_on };
  await expectError(sato.call(createCoupon, { ...coupon, month: 1 }), "invalid_input");
  await sato.call(createCoupon, { ...coupon, month: 0 });
});

test("creates, lists and disables coupons, and lists payments without members", async () => {
  const { service, sato } = await reportedMessage();
  const expires_on = new Date(service.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const coupon = { id: "spring", year: 0, month: 1, max_uses: 3, expires_on };

  await sato.call(createCoupon, coupon);
  await expectError(sato.call(createCoupon, coupon), "conflict");
  await expectError(sato.call(createCoupon, { ...coupon, month: 0 }), "invalid_input");
  await expectError(sato.call(createCoupon, { ...coupon, expires_on: "2020-01-01" }), "invalid_input");
  await sato.call(disableCoupon, { id: "SPRING" });
  await expectError(sato.call(disableCoupon, { id: "NONE" }), "coupon_not_found");

  expect((await sato.call(getCoupons, {})).coupons).toMatchObject([
    { id: "SPRING", state: "disabled", used: 0, max_uses: 3 },
  ]);
  expect(await sato.call(getPayments, {})).toEqual({ orders: [], transfers: [], bank: [] });
});
