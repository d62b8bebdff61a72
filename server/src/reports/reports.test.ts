import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError } from "../testing/test-service.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { listReportGroups, readOpenReports, resolveReport } from "./index.ts";
import { sweepReports } from "./reports.ts";

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
      id: expect.any(String) as string,
      entryId: expect.any(String) as string,
      at: floorTo(service.clock.now(), DAY_MS),
      reason: "harassment",
      reported: "taro",
      isSuspended: false,
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
  const ofFirst = [first!, ...others.filter(({ id }) => id === first!.id)];
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
  expect(
    await service.db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute(),
  ).toHaveLength(20);
});

test("lists reports about one member together, underage first, then oldest, in pages", async () => {
  const { member, ctx, db } = await serviceForTest();
  const [hanako, sachiko] = [await member("hanako"), await member("sachiko")];
  for (const name of ["often", "once", "young"]) await member(name, { at: null });
  await hanako.call(reportUser, { userId: "often", reason: "other", detail: "first" });
  await sql`
    insert into report_entries (reported_no, report_id, entry_id, key_id, sequence_no)
    select reported_no, report_id, gen_random_uuid(), 1, nextval('report_sequence')
    from reports, generate_series(1, 200)`.execute(db);
  await hanako.call(reportUser, { userId: "once", reason: "fake" });
  await sachiko.call(reportUser, { userId: "often", reason: "spam", detail: "last" });
  await hanako.call(reportUser, { userId: "young", reason: "fake", detail: "a" });
  await hanako.call(reportUser, { userId: "young", reason: "underage", detail: "b" });

  const pages = await Promise.all([1, 2, 3].map((page) => readOpenReports(ctx, page)));

  expect(pages.map(({ length }) => length)).toEqual([200, 5, 0]);
  const rows = pages.flat().map(({ reported, reason, detail }) => [reported, reason, detail]);
  expect(rows.slice(0, 4)).toEqual([
    ["young", "underage", "b"],
    ["young", "fake", "a"],
    ["often", "other", "first"],
    ["often", "other", null],
  ]);
  expect(rows.slice(-2)).toEqual([
    ["often", "spam", "last"],
    ["once", "fake", null],
  ]);
  expect((await listReportGroups(ctx, 9)).map(({ reason, reports }) => [reason, reports])).toEqual([
    ["underage", 2],
    ["other", 2],
    ["fake", 1],
  ]);
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
  expect(await service.db.selectFrom("report_entries").select("encrypted_detail").execute()).toEqual([
    { encrypted_detail: null },
  ]);
  expect(await service.db.selectFrom("reports_given").selectAll().execute()).toEqual([]);
});

test("deletes the reports about a member when they delete their account", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  await hanako.call(reportUser, { userId: "taro", reason: "fake", detail: "A stolen picture." });

  await taro.call(deleteAccount, {});

  expect(await db.selectFrom("reports").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("report_entries").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("reports_given").selectAll().execute()).toEqual([]);
});

test("closes a resolved report, opens another when it is sent again, and deletes each after half a year", async () => {
  const { member, ctx, db, clock } = await serviceForTest();
  const hanako = await member("hanako");
  await member("taro");
  const report = () => hanako.call(reportUser, { userId: "taro", reason: "fake" });
  const stored = async () => (await db.selectFrom("reports").select("report_id").execute()).length;
  await report();
  const [{ id } = { id: "" }] = await readOpenReports(ctx);

  expect(await resolveReport(ctx, id)).toMatchObject({ id, reported: "taro" });
  expect(await readOpenReports(ctx)).toEqual([]);
  await report();
  const [again] = await readOpenReports(ctx);
  expect(again!.id).not.toBe(id);
  clock.advance(DAY_MS);
  await resolveReport(ctx, again!.id);

  clock.advance(178 * DAY_MS);
  await sweepReports(ctx);
  expect(await stored()).toBe(2);
  clock.advance(2 * DAY_MS);
  await sweepReports(ctx);
  expect(await stored()).toBe(1);
  clock.advance(DAY_MS);
  await sweepReports(ctx);
  for (const table of ["reports", "report_entries", "reports_given"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect(await resolveReport(ctx, id)).toBeNull();
});

test("leaves no row of a deleted member when a report races the deletion of either side", async () => {
  const { member, db } = await serviceForTest();

  for (let i = 0; i < rounds(15); i++) {
    const her = await member(`her${i}`, { at: null });
    const him = await member(`him${i}`, { at: null });
    await Promise.all([
      her.call(reportUser, { userId: him.user_id, reason: "fake" }).catch(() => undefined),
      (i % 2 === 0 ? her : him).call(deleteAccount, {}),
    ]);
    const deleted = i % 2 === 0 ? her.memberId : him.memberId;
    const left = [
      ...(await db.selectFrom("reports").selectAll().execute()),
      ...(await db.selectFrom("reports_given").selectAll().execute()),
    ];
    expect(left.filter((row) => [row.reporter_no, row.reported_no].includes(deleted))).toEqual([]);
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
