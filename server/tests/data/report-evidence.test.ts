import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, exportData } from "@alcove/contract/accounts";
import { getDms, getLastDms, sendDm, unsendDm } from "@alcove/contract/messaging";
import { addNeverSee, blockUser, reportUser, unblockUser } from "@alcove/contract/safety";
import { getUser, unmatch } from "@alcove/contract/discovery";
import { readZip } from "@alcove/test-services/zip";
import { sweepOrphans } from "../../src/media/orphan-sweep.ts";
import { lockMemberForDeletion } from "../../src/members/locks.ts";
import {
  destroyHiddenConversations,
  hideConversation,
} from "../../src/messaging/hidden/hidden-conversations.ts";
import { DAY_MS } from "../../src/platform/clock.ts";
import { rounds } from "../../src/testing/rounds.ts";
import { keyIdOf } from "../../src/platform/keys/encryption.ts";
import { dumpTables, placesWith, readFiles } from "../../src/testing/data-traces.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { fileOf, quarters } from "../../src/testing/sample-pictures.ts";
import {
  eventually,
  expectError,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";
import { listCases } from "../../src/cases/index.ts";
import { sweepLeft } from "../../src/cases/left-accounts.ts";
import { readFacts } from "../../src/cases/queue.ts";
import { sweepCases } from "../../src/cases/retention.ts";
import { anonymizeReporter } from "../../src/cases/reports.sql.ts";
import { decide, readOpenReports, readReportPicture } from "../../src/testing/cases.ts";
import { countLockWaits } from "../../src/testing/statements.ts";

const picture = await quarters().jpeg().toBuffer();

async function storedPictures({ dataDir }: TestService): Promise<number> {
  return (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/")).length;
}

const kindsOf = async ({ db }: TestService) =>
  (await db.selectFrom("media_files").select("kind").orderBy("kind").execute()).map(({ kind }) => kind);

/** Taro has sent a picture to Hanako; `shown` is what she sees. */
async function pictureFromTaro() {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const input = { receiverId: "hanako", description: "Look at me.", file: fileOf(picture) };
  const { dm } = await taro.call(sendDm, input);
  const [seen] = (await hanako.call(getDms, { friendId: "taro" })).dms;
  const shown = Buffer.from(await (await hanako.fetch(seen!.file!)).arrayBuffer());
  return { service, hanako, taro, dm, shown };
}

const report = (who: TestMember, whom: TestMember, dmId: string) =>
  who.call(reportUser, { userId: whom.user_id, reason: "harassment", dmId });

async function onlyReport({ ctx }: TestService) {
  const reports = await readOpenReports(ctx);
  expect(reports).toHaveLength(1);
  return reports[0]!;
}

test("keeps text and picture of a reported message, for the operator only", async () => {
  const { service, hanako, taro, dm, shown } = await pictureFromTaro();

  await report(hanako, taro, dm.id);

  const one = await onlyReport(service);
  expect(one.message).toEqual({ text: "Look at me.", hasImage: true, sentAt: dm.created_at });
  expect(await readReportPicture(service.ctx, one)).toEqual(shown);
  expect(await kindsOf(service)).toEqual(["case", "message"]);
  for (const member of [hanako, taro]) {
    const archive = await member.fetch(`/en${exportData.path}`);
    const files = await readZip(new Uint8Array(await archive.arrayBuffer()));
    expect(files.size).toBe(member === taro ? 3 : 2); // data and page, and the picture that he sent
  }
});

test.each(["the blocking", "the blocked"])(
  "accepts a message of the hidden conversation from %s member",
  async (side) => {
    const { service, hanako, taro, dm, shown } = await pictureFromTaro();
    const [by, other] = side === "the blocking" ? [hanako, taro] : [taro, hanako];
    await by.call(blockUser, { userId: other.user_id });
    service.clock.advance(29 * DAY_MS);
    await destroyHiddenConversations(service.ctx);

    await report(await logInAgain(service, hanako), taro, dm.id);

    const one = await onlyReport(service);
    expect(one.message).toEqual({ text: "Look at me.", hasImage: true, sentAt: dm.created_at });
    expect(await readReportPicture(service.ctx, one)).toEqual(shown);
  },
);

test("keeps no message once the hidden conversation's key is destroyed, and none of the reporter's own", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();
  await hanako.call(blockUser, { userId: "taro" });
  await report(taro, hanako, dm.id);
  service.clock.advance(30 * DAY_MS);
  await destroyHiddenConversations(service.ctx);

  await report(await logInAgain(service, hanako), taro, dm.id);

  expect((await readOpenReports(service.ctx)).map(({ message }) => message)).toEqual([null, null]);
  await eventually(async () => expect(await storedPictures(service)).toBe(0));
});

test("accepts a message of the hidden conversation also from a member whom the other one never wants to see", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();
  await taro.call(addNeverSee, { who: "hanako" });
  await taro.call(blockUser, { userId: "hanako" });
  await taro.call(unblockUser, { userId: "hanako" });
  await eventually(() => expectError(hanako.call(getUser, { userId: "taro" }), "user_not_found"));
  await expectError(hanako.call(reportUser, { userId: "taro", reason: "spam" }), "user_not_found");

  await report(hanako, taro, dm.id);

  expect((await onlyReport(service)).message?.hasImage).toBe(true);
});

test("keeps the evidence readable when the conversation's key is destroyed and the reporter has left", async () => {
  const { service, hanako, taro, dm, shown } = await pictureFromTaro();
  await hanako.call(blockUser, { userId: "taro" });
  await report(hanako, taro, dm.id);
  service.clock.advance(30 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  await (await logInAgain(service, hanako)).call(deleteAccount, {});
  await eventually(async () => expect(await kindsOf(service)).toEqual(["case"]));

  service.clock.advance(2 * DAY_MS);
  await sweepOrphans(service.ctx);

  const another = await serviceForTest({ beside: service }); // without cached keys
  const one = await onlyReport(another);
  expect({ text: one.message?.text, reporter: one.reporter }).toEqual({
    text: "Look at me.",
    reporter: null,
  });
  expect(await readReportPicture(another.ctx, one)).toEqual(shown);
});

test("leaves no second file when a report is repeated, and opens another report after the first was resolved", async () => {
  const { service, hanako, taro, dm, shown } = await pictureFromTaro();
  const beside = await serviceForTest({ beside: service });

  await Promise.all(
    Array.from({ length: 12 }, (_, i) => report(i % 2 === 0 ? hanako : beside.memberAt(hanako), taro, dm.id)),
  );
  const first = await onlyReport(service);
  expect(await kindsOf(service)).toEqual(["case", "message"]);
  expect(await storedPictures(service)).toBe(2);
  await decide(service.ctx, first.caseNo);
  await report(hanako, taro, dm.id);

  const second = await onlyReport(service);
  expect(second.caseNo).not.toBe(first.caseNo);
  for (const one of [first, second]) expect(await readReportPicture(service.ctx, one)).toEqual(shown);
});

test("deletes picture and keys when the case is destroyed 180 days after the decision", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();
  await report(hanako, taro, dm.id);
  const one = await onlyReport(service);
  const keys = () => service.db.selectFrom("data_keys").select("key_id").execute();
  const before = (await keys()).length;
  await decide(service.ctx, one.caseNo);

  service.clock.advance(179 * DAY_MS);
  await sweepCases(service.ctx);
  expect(await kindsOf(service)).toEqual(["case", "message"]);
  service.clock.advance(2 * DAY_MS);
  await sweepCases(service.ctx);

  expect(await kindsOf(service)).toEqual(["message"]);
  expect(await keys()).toHaveLength(before - 3);
  await eventually(async () => expect(await storedPictures(service)).toBe(1));
  expect(await readReportPicture(service.ctx, one)).toBeNull();
});

test("keeps text, picture and profile of a deleted member for the operator only, until the case is destroyed", async () => {
  const { service, hanako, taro, dm, shown } = await pictureFromTaro();
  await report(hanako, taro, dm.id);

  await taro.call(deleteAccount, {});

  const one = await onlyReport(service);
  expect(one).toMatchObject({ reported: "taro", message: { text: "Look at me.", hasImage: true } });
  expect(await readReportPicture(service.ctx, one)).toEqual(shown);
  await expectError(hanako.call(getUser, { userId: "taro" }), "user_not_found");
  expect((await hanako.call(getLastDms, {})).dms).toEqual([]);

  const held = await encryptedEvidence(service);
  await decide(service.ctx, one.caseNo);
  service.clock.advance(181 * DAY_MS);
  await sweepCases(service.ctx);
  await destroyHiddenConversations(service.ctx);
  await sweepLeft(service.ctx);
  await eventually(async () => expect(await storedPictures(service)).toBe(0));
  const left = [...(await dumpTables(service.databaseUrl)), ...(await readFiles(service.dataDir))];
  expect(placesWith(held, left)).toEqual([]);
  const kept = (await service.db.selectFrom("data_keys").select("key_id").execute()).map(
    ({ key_id }) => key_id,
  );
  expect(held.map(keyIdOf).filter((keyId) => kept.includes(keyId))).toEqual([]);
  const keys = service.db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000);
  expect(await keys.execute()).toEqual([]);
});

/** Every encrypted value of cases, and every file: all that a thief with old copies has. */
async function encryptedEvidence({ databaseUrl, dataDir }: TestService): Promise<Buffer[]> {
  const tables = (await dumpTables(databaseUrl)).filter(({ name }) =>
    /\.(?:cases|case_evidence)$/.test(name),
  );
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  const values = [...tables.flatMap(({ bytes }) => bytes.slice(1)), ...files.flatMap(({ bytes }) => bytes)];
  expect(values.length).toBeGreaterThanOrEqual(5);
  return values;
}

test("accepts a report of a deleted member's message from its receiver for seven days", async () => {
  const { service, hanako, taro, dm, shown } = await pictureFromTaro();
  const jiro = await service.member("jiro", { at: null });
  await taro.call(deleteAccount, {});

  await expectError(jiro.call(reportUser, { userId: "taro", reason: "harassment" }), "user_not_found");
  service.clock.advance(6 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  await sweepLeft(service.ctx);
  const again = await logInAgain(service, hanako);
  await report(again, taro, dm.id);
  await report(again, taro, dm.id);
  service.clock.advance(2 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  await sweepLeft(service.ctx);

  await expectError(report(await logInAgain(service, hanako), taro, dm.id), "user_not_found");
  const one = await onlyReport(service);
  expect(one).toMatchObject({ reported: "taro", message: { text: "Look at me." } });
  expect(await readReportPicture(service.ctx, one)).toEqual(shown);
  await eventually(async () => expect(await storedPictures(service)).toBe(1));
});

test("keeps the messages of 30 days for a report of an ended match, also of a member who has left", async () => {
  const service = await serviceForTest();
  const endings = [
    { end: (who: TestMember) => who.call(unmatch, { userId: "hanako" }), days: 0 },
    { end: (who: TestMember) => who.call(deleteAccount, {}), days: 6 },
  ];
  const taros: number[] = [];
  const chats: unknown[] = [];
  for (const [i, { end, days }] of endings.entries()) {
    const { hanako, taro } = await hanakoAndTaro(service, i);
    taros.push(taro.memberId);
    const say = async (who: TestMember, description: string, file: File | null = null) =>
      (await who.call(sendDm, { receiverId: who === her ? taro.user_id : hanako.user_id, description, file }))
        .dm;
    let [her, him] = [hanako, taro];
    await say(him, "Too long ago.");
    service.clock.advance(31 * DAY_MS);
    [her, him] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
    await say(him, "Send money.", fileOf(picture));
    await say(her, "My own words.");
    const { id: dmId } = await say(him, "Or I tell him.");
    await him.call(unsendDm, { friendId: hanako.user_id, dmId });
    await end(him);
    const [{ id: endedId } = { id: "" }] = (await her.call(getLastDms, {})).ended;
    service.clock.advance(days * DAY_MS);

    await (await logInAgain(service, hanako)).call(reportUser, { endedId, reason: "threat" });

    const [{ case_no } = { case_no: 0 }] = await listCases(service.ctx, { limit: 1, offset: chats.length });
    const facts = await readFacts(service.ctx, case_no);
    const chat = facts?.entries.find(({ content }) => content?.kind === "chat")?.content;
    chats.push([facts?.accused?.userId, ...(chat?.lines ?? []).map(({ text, picture: at }) => [text, at])]);
  }

  expect(chats).toEqual([
    ["taro", ["Send money.", 0], ["Or I tell him.", null]],
    ["taro1", ["Send money.", 0]],
  ]);
  service.clock.advance(2 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  await sweepLeft(service.ctx);
  const numbers = service.db.selectFrom("ended_matches").select("other_no").where("other_no", "is not", null);
  expect(await numbers.execute()).toEqual([{ other_no: taros[0] }]);
});

test("keeps the text when the message's file is missing", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();
  await rm(join(service.dataDir, "media"), { recursive: true });

  await report(hanako, taro, dm.id);

  const { message } = await onlyReport(service);
  expect(message).toEqual({ text: "Look at me.", hasImage: false, sentAt: dm.created_at });
});

test("claims each picture of evidence when a report races the deletion of either side", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });

  for (let i = 0; i < rounds(16); i++) {
    const her = await service.member(`her${i}`, { at: null, paid: true });
    const him = beside.memberAt(await service.member(`him${i}`, { at: null, paid: true }));
    await match(her, him);
    const { dm } = await him.call(sendDm, { receiverId: her.user_id, file: fileOf(picture) });
    const leaver = i % 2 === 0 ? her : him;

    await Promise.all([report(her, him, dm.id).catch(() => undefined), leaver.call(deleteAccount, {})]);

    const reports = await service.db.selectFrom("reports").selectAll().execute();
    const about = await service.db
      .selectFrom("case_evidence")
      .select("owner_no")
      .where("owner_no", "=", him.memberId)
      .where("report_no", "is not", null)
      .execute();
    const pictures = await service.db
      .selectFrom("media_files")
      .select(["kind", "claimed"])
      .where("member_no", "=", him.memberId)
      .where("kind", "=", "case")
      .execute();
    expect(pictures).toEqual(about.map(() => ({ kind: "case", claimed: true })));
    expect(reports.map(({ reporter_no }) => reporter_no)).not.toContain(leaver.memberId);
  }
}, 60_000);

test("lets a deletion of the reporter finish when the job deletes the same report", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();
  await report(hanako, taro, dm.id);
  await decide(service.ctx, (await onlyReport(service)).caseNo);
  service.clock.advance(181 * DAY_MS);

  let sweep: Promise<void> | undefined;
  await service.db.transaction().execute(async (tx) => {
    await lockMemberForDeletion(tx, hanako.memberId);
    const given = tx.selectFrom("reports_given").selectAll().where("reporter_no", "=", hanako.memberId);
    await given.forUpdate().execute();
    sweep = sweepCases(service.ctx);
    await eventually(async () => expect(await countLockWaits(service)).toBe(1));
    await anonymizeReporter(tx, hanako.memberId);
  });
  await sweep;

  expect(await service.db.selectFrom("reports").selectAll().execute()).toEqual([]);
});

test("finds the reported message when a block moves it while the report reads it", async () => {
  const { service, hanako, taro, dm } = await pictureFromTaro();

  let reporting: Promise<unknown> | undefined;
  await service.db.transaction().execute(async (tx) => {
    await sql`lock table messages in access exclusive mode`.execute(tx);
    reporting = report(hanako, taro, dm.id);
    await eventually(async () => expect(await countLockWaits(service)).toBe(1));
    await hideConversation(tx, service.ctx, hanako.memberId, taro.memberId);
  });
  await reporting;

  expect((await onlyReport(service)).message?.text).toBe("Look at me.");
});

test("deletes resolved reports with their pictures when deletions of both sides race the job", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const pairs = await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      const her = await service.member(`her${i}`, { at: null, paid: true, sex: "female" });
      const him = beside.memberAt(await service.member(`him${i}`, { at: null, paid: true, sex: "male" }));
      await match(her, him);
      const { dm } = await him.call(sendDm, { receiverId: her.user_id, file: fileOf(picture) });
      await report(her, him, dm.id);
      return { her, him };
    }),
  );
  for (const { caseNo } of await readOpenReports(service.ctx)) await decide(service.ctx, caseNo);
  service.clock.advance(181 * DAY_MS);
  const jobs = [service, beside, service].map(({ ctx }) => sweepCases(ctx));
  service.clock.advance(-181 * DAY_MS); // the members stay logged in

  await Promise.all([
    ...jobs,
    ...pairs.map(({ her, him }, i) => (i % 2 === 0 ? her : him).call(deleteAccount, {})),
  ]);

  for (const table of ["cases", "case_evidence", "reports", "reports_given"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  service.clock.advance(8 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  await eventually(async () => {
    expect(await kindsOf(service)).toEqual([]);
    expect(await storedPictures(service)).toBe(0);
  });
}, 60_000);
