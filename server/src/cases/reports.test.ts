import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError } from "../testing/test-service.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { decide, readOpenReports } from "../testing/cases.ts";
import { listCases, lookAtCase } from "./index.ts";
import { sweepCases } from "./retention.ts";

test("returns reporter, reported member, reason, text and message to the operator", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "I know where you live." });

  await hanako.call(reportUser, {
    userId: "TARO",
    reason: "harassment",
    detail: "He writes this every night.",
    dmId: dm.id.toUpperCase(),
  });

  expect(await readOpenReports(service.ctx)).toEqual([
    {
      caseNo: expect.any(Number) as number,
      report: expect.any(Number) as number,
      entryId: expect.any(String) as string,
      on: utcDay(service.clock.now()),
      reason: "harassment",
      reported: "taro",
      reporter: "hanako",
      detail: "He writes this every night.",
      message: { text: "I know where you live.", hasImage: false, sentAt: dm.created_at },
    },
  ]);
  const tables = await dumpTables(service.databaseUrl);
  for (const words of ["every night", "where you live"])
    expect(placesWith(encodingsOf(words), tables)).toEqual([]);
});

test("accepts reports by blocked members and about blocking ones, but not about non-existent or suspended ones", async () => {
  const { member, ctx } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");
  await taro.call(blockUser, { userId: "hanako" });
  await suspendMember(ctx, jiro.memberId);

  await hanako.call(reportUser, { userId: "taro", reason: "spam" });
  await taro.call(reportUser, { userId: "hanako", reason: "fake" });
  for (const userId of ["jiro", "nobody", "a\u0000b"]) {
    expect(
      (await expectError(hanako.call(reportUser, { userId, reason: "other" }), "user_not_found")).status,
    ).toBe(404);
  }
  const own = hanako.call(reportUser, { userId: "Hanako", reason: "other" });
  expect((await expectError(own, "cannot_report_yourself")).status).toBe(422);

  const reports = await readOpenReports(ctx);
  expect(reports.map(({ reporter, reported, reason }) => [reporter, reported, reason])).toEqual(
    expect.arrayContaining([
      ["hanako", "taro", "spam"],
      ["taro", "hanako", "fake"],
    ]),
  );
  expect(reports).toHaveLength(2);
});

test("keeps one open report for each reason, and adds each further text and message to it once", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Send money." });
  const say = (form: { detail?: string; dmId?: string; reason?: "fake" | "spam" }) =>
    hanako.call(reportUser, { userId: "taro", reason: "fake", ...form });

  await Promise.all(Array.from({ length: 8 }, () => say({ detail: "A stolen picture." })));
  expect(await readOpenReports(service.ctx)).toHaveLength(1);
  await say({ detail: "And a second one." });
  await say({});
  await say({ dmId: dm.id });
  await say({ reason: "spam" });

  const [first, ...others] = await readOpenReports(service.ctx);
  const ofFirst = [first!, ...others.filter(({ report }) => report === first!.report)];
  expect(ofFirst.map(({ detail, message }) => [detail, message?.text ?? null])).toEqual([
    ["A stolen picture.", null],
    ["And a second one.", null],
    [null, null],
    [null, "Send money."],
  ]);
  expect(others.at(-1)).toMatchObject({ reason: "spam", detail: null });
  expect(await service.db.selectFrom("reports").select("reason").orderBy("sequence_no").execute()).toEqual([
    { reason: "fake" },
    { reason: "spam" },
  ]);
});

test("adds at most twenty texts and messages to a report, with the same response for more", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  await service.member("taro");
  const report = (detail: string) => hanako.call(reportUser, { userId: "taro", reason: "spam", detail });

  for (let i = 0; i < 17; i++) await report(`Letter ${i}`);
  await Promise.all(Array.from({ length: 8 }, (_, i) => report(`At once ${i}`)));
  expect(await report("One too many")).toBeUndefined();

  const details = (await readOpenReports(service.ctx)).map(({ detail }) => detail);
  expect(details).toHaveLength(20);
  expect(details).not.toContain("One too many");
  // The case and the profile have keys too.
  expect(
    await service.db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute(),
  ).toHaveLength(22);
});

test("lists reports about one member together, danger first, then oldest, in pages", async () => {
  const { member, ctx } = await serviceForTest();
  const [hanako, sachiko] = [await member("hanako"), await member("sachiko")];
  for (const name of ["often", "once", "young"]) await member(name, { at: null });
  await hanako.call(reportUser, { userId: "often", reason: "other", detail: "first" });
  await hanako.call(reportUser, { userId: "once", reason: "fake" });
  await sachiko.call(reportUser, { userId: "often", reason: "spam", detail: "last" });
  await hanako.call(reportUser, { userId: "young", reason: "fake", detail: "a" });
  await hanako.call(reportUser, { userId: "young", reason: "underage", detail: "b" });

  const rows = (await readOpenReports(ctx)).map(({ reported, reason, detail }) => [reported, reason, detail]);
  expect(rows).toEqual([
    ["young", "underage", "b"],
    ["young", "fake", "a"],
    ["often", "other", "first"],
    ["often", "spam", "last"],
    ["once", "fake", null],
  ]);
  const page = async (offset: number) =>
    (await listCases(ctx, { limit: 2, offset })).map(({ reason, reports }) => [reason, reports]);
  expect(await page(0)).toEqual([
    ["underage", 2],
    ["other", 2],
  ]);
  expect(await page(2)).toEqual([["fake", 1]]);
});

test("opens another case for reports that arrive after a look", async () => {
  const { member, ctx } = await serviceForTest();
  const [hanako, sachiko] = [await member("hanako"), await member("sachiko")];
  await member("taro", { at: null });
  await hanako.call(reportUser, { userId: "taro", reason: "spam", detail: "before" });
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(ctx);

  await lookAtCase(ctx, caseNo);
  await Promise.all(
    [hanako, sachiko].map((one) => one.call(reportUser, { userId: "taro", reason: "spam", detail: "after" })),
  );
  await decide(ctx, caseNo);

  const open = await readOpenReports(ctx);
  expect(open.map(({ detail }) => detail)).toEqual(["after", "after"]);
  expect(new Set([caseNo, ...open.map((one) => one.caseNo)]).size).toBe(2);
});

test("lets reports of a member whose reports never hold wait for others, and forgets that when one holds", async () => {
  const { member, ctx } = await serviceForTest();
  const [doubtful, hanako] = [await member("doubtful"), await member("hanako")];
  for (const name of ["a1", "a2", "a3", "b1", "b2"]) await member(name, { at: null });
  const order = async () => (await readOpenReports(ctx)).map(({ reported }) => reported);
  for (const userId of ["a1", "a2", "a3"]) {
    await doubtful.call(reportUser, { userId, reason: "fake" });
    const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(ctx);
    await decide(ctx, caseNo);
  }

  await doubtful.call(reportUser, { userId: "b1", reason: "fake" });
  await hanako.call(reportUser, { userId: "b2", reason: "fake" });
  expect(await order()).toEqual(["b2", "b1"]);
  await hanako.call(reportUser, { userId: "b1", reason: "fake" });
  expect(await order()).toEqual(["b1", "b1", "b2"]);
});

test("keeps a message only if the reported member sent it to the reporter", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro");
  const own = (await hanako.call(sendDm, { receiverId: "taro", description: "Mine." })).dm;
  const his = (await taro.call(sendDm, { receiverId: "hanako", description: "His." })).dm;

  await hanako.call(reportUser, { userId: "taro", reason: "other", dmId: own.id });
  await jiro.call(reportUser, { userId: "taro", reason: "other", dmId: his.id });
  await hanako.call(reportUser, {
    userId: "taro",
    reason: "spam",
    dmId: "0b0e4ad2-6a2b-7f0e-9a39-4c2d7cf1a001",
  });
  await expectError(
    hanako.call(reportUser, { userId: "taro", reason: "spam", dmId: "no id" }),
    "invalid_input",
  );

  const reports = await readOpenReports(service.ctx);
  expect(reports.map(({ message }) => message)).toEqual([null, null, null]);
});

test("keeps a reported message when a block deletes the conversation", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Send money." });
  await hanako.call(reportUser, { userId: "taro", reason: "spam", dmId: dm.id });

  await hanako.call(blockUser, { userId: "taro" });

  const [report] = await readOpenReports(service.ctx);
  expect(report?.message?.text).toBe("Send money.");
});

test("removes the reporter's name and text when they delete their account, but keeps the reported message", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Send money." });
  await hanako.call(reportUser, { userId: "taro", reason: "spam", detail: "Twice a day.", dmId: dm.id });

  await hanako.call(deleteAccount, {});

  const [report] = await readOpenReports(service.ctx);
  expect(report).toMatchObject({ reported: "taro", reporter: null, detail: null, reason: "spam" });
  expect(report?.message?.text).toBe("Send money.");
  expect(await service.db.selectFrom("reports").select("reporter_no").execute()).toEqual([
    { reporter_no: null },
  ]);
  expect(
    await service.db.selectFrom("case_evidence").select("encrypted_detail").distinct().execute(),
  ).toEqual([{ encrypted_detail: null }]);
  expect(await service.db.selectFrom("reports_given").selectAll().execute()).toEqual([]);
});

test("closes a decided case, opens another for the same report, and destroys each 180 days later", async () => {
  const { member, ctx, db, clock } = await serviceForTest();
  const hanako = await member("hanako");
  await member("taro");
  const report = () => hanako.call(reportUser, { userId: "taro", reason: "fake" });
  const stored = async () => (await db.selectFrom("cases").select("case_no").execute()).length;
  await report();
  const [first] = await readOpenReports(ctx);

  expect(await decide(ctx, first!.caseNo)).toBe(true);
  expect(await decide(ctx, first!.caseNo)).toBe(false);
  expect(await readOpenReports(ctx)).toEqual([]);
  await report();
  const [again] = await readOpenReports(ctx);
  expect(again!.caseNo).not.toBe(first!.caseNo);
  clock.advance(DAY_MS);
  await decide(ctx, again!.caseNo);

  clock.advance(179 * DAY_MS);
  await sweepCases(ctx);
  expect(await stored()).toBe(2);
  clock.advance(DAY_MS);
  await sweepCases(ctx);
  expect(await stored()).toBe(1);
  clock.advance(DAY_MS);
  await sweepCases(ctx);
  for (const table of ["cases", "case_evidence", "case_decisions", "reports", "reports_given"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  const keys = db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000);
  expect(await keys.execute()).toEqual([]);
});

test("names no deleted reporter when a report races the deletion of either side, and keeps each evidence", async () => {
  const { member, db } = await serviceForTest();

  for (let i = 0; i < rounds(15); i++) {
    const her = await member(`her${i}`, { at: null });
    const him = await member(`him${i}`, { at: null });
    await Promise.all([
      her.call(reportUser, { userId: him.user_id, reason: "fake" }).catch(() => undefined),
      (i % 2 === 0 ? her : him).call(deleteAccount, {}),
    ]);
    const left = [
      ...(await db.selectFrom("reports").select("reporter_no").execute()),
      ...(await db.selectFrom("reports_given").select("reporter_no").execute()),
    ];
    if (i % 2 === 0) expect(left.map(({ reporter_no }) => reporter_no)).not.toContain(her.memberId);
    const cases = await db.selectFrom("cases").select("case_no").execute();
    const reports = await db.selectFrom("reports").select("case_no").execute();
    expect(new Set(cases.map(({ case_no }) => case_no))).toEqual(
      new Set(reports.map(({ case_no }) => case_no)),
    );
  }
});

test("allows twenty reports a day", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  let hanako = await service.member("hanako");
  for (const name of ["taro", "jiro"]) await service.member(name);
  const report = (userId: string, detail: string) =>
    hanako.call(reportUser, { userId, reason: "spam", detail });

  for (let i = 0; i < 20; i++) await report("taro", `Letter ${i}`);
  expect((await expectError(report("jiro", "Letter 20"), "too_many_requests")).status).toBe(429);

  service.clock.advance(DAY_MS + 1);
  hanako = await logInAgain(service, hanako);
  await report("jiro", "Letter 20");
  expect(await readOpenReports(service.ctx)).toHaveLength(21);
});
