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
import { readOpenReports, resolveReport } from "./index.ts";
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

test("stores one report when the same one arrives many times, and another when its text differs", async () => {
  const { member, ctx } = await serviceForTest();
  const hanako = await member("hanako");
  await member("taro");
  const say = (detail?: string) => hanako.call(reportUser, { userId: "taro", reason: "fake", detail });

  await Promise.all(Array.from({ length: 8 }, () => say("A stolen picture.")));
  expect(await readOpenReports(ctx)).toHaveLength(1);
  await say("And a second one.");
  await say();

  const details = (await readOpenReports(ctx)).map(({ detail }) => detail);
  expect(new Set(details)).toEqual(new Set(["A stolen picture.", "And a second one.", null]));
  expect(details).toHaveLength(3);
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
  const rows = await service.db.selectFrom("reports").select(["reporter_no", "encrypted_detail"]).execute();
  expect(rows).toEqual([{ reporter_no: null, encrypted_detail: null }]);
  expect(await service.db.selectFrom("reports_given").selectAll().execute()).toEqual([]);
});

test("deletes the reports about a member when they delete their account", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  await hanako.call(reportUser, { userId: "taro", reason: "fake", detail: "A stolen picture." });

  await taro.call(deleteAccount, {});

  expect(await db.selectFrom("reports").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("reports_given").selectAll().execute()).toEqual([]);
});

test("closes a resolved report, reopens it when it is sent again, and deletes it after half a year", async () => {
  const { member, ctx, db, clock } = await serviceForTest();
  const hanako = await member("hanako");
  await member("taro");
  const report = () => hanako.call(reportUser, { userId: "taro", reason: "fake" });
  await report();
  const [{ id } = { id: "" }] = await readOpenReports(ctx);

  expect(await resolveReport(ctx, id)).toMatchObject({ id, reported: "taro" });
  expect(await readOpenReports(ctx)).toEqual([]);
  await report();
  expect(await readOpenReports(ctx)).toHaveLength(1);
  await resolveReport(ctx, id);

  clock.advance(179 * DAY_MS);
  await sweepReports(ctx);
  expect(await db.selectFrom("reports").select("report_id").execute()).toHaveLength(1);
  clock.advance(2 * DAY_MS);
  await sweepReports(ctx);
  expect(await db.selectFrom("reports").select("report_id").execute()).toEqual([]);
  expect(await db.selectFrom("reports_given").select("report_id").execute()).toEqual([]);
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
  await service.member("taro");
  const report = (detail: string) => hanako.call(reportUser, { userId: "taro", reason: "spam", detail });

  for (let i = 0; i < 20; i++) await report(`Letter ${i}`);
  expect((await expectError(report("Letter 20"), "too_many_requests")).status).toBe(429);

  service.clock.advance(DAY_MS + 1);
  hanako = await logInAgain(service, hanako);
  await report("Letter 20");
  expect(await readOpenReports(service.ctx)).toHaveLength(21);
});
