import { beforeAll, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { deleteAccount } from "@alcove/contract/accounts";
import { getDms, getLastDms, readDm, sendDm, unsendDm } from "@alcove/contract/messaging";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { forgetDeletedMembers, readOpenReports } from "../testing/cases.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
  type TestSocket,
} from "../testing/test-service.ts";
import { dumpTables, encodingsOf, placesWith, readFiles } from "../testing/data-traces.ts";
import { HOUR_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { block, write } from "../testing/member-calls.ts";
import { destroyUnsentMessages } from "./unsent-messages.ts";

const unsend = (me: TestMember, other: TestMember, dmId: string) =>
  me.call(unsendDm, { friendId: other.user_id, dmId });
const page = (me: TestMember, other: TestMember, how: { afterId?: string; unsentAfter?: number } = {}) =>
  me.call(getDms, { friendId: other.user_id, ...how });
const textsOf = async (me: TestMember, other: TestMember) =>
  (await page(me, other)).dms.map(({ description }) => description);
const framesOf = (socket: TestSocket, kind: string) =>
  socket.frames.flatMap((frame) =>
    kind in (frame as object) ? [(frame as Record<string, unknown>)[kind]] : [],
  );

/** Of the tests that need no other members, rows or processes. */
let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
});
const newPair = () => hanakoAndTaro(shared, pairCount++);

test("removes an unsent message for both members and from the tables", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await write(hanako, taro, "before");
  const { id } = await write(hanako, taro, "too much");
  await write(taro, hanako, "after");

  await unsend(hanako, taro, id);
  await unsend(hanako, taro, id); // harmless to repeat

  for (const [me, other] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    expect(await textsOf(me, other)).toEqual(["before", "after"]);
  }
  const row = await service.db
    .selectFrom("messages")
    .selectAll()
    .where("message_id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ encrypted_text: null, encrypted_media: null, unsent_no: 1 });
});

test("rejects unsending a message of the other side, of another conversation, or without a match", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male" });
  await match(hanako, jiro);
  const { id } = await write(hanako, taro, "mine");

  await expectError(unsend(taro, hanako, id), "message_not_found");
  await expectError(unsend(hanako, jiro, id), "message_not_found");
  await expectError(unsend(hanako, taro, randomUUID()), "message_not_found");
  await expectError(unsend(taro, jiro, id), "conversation_not_found");

  expect(await textsOf(taro, hanako)).toEqual(["mine"]);
});

test("removes the picture at once and its file a day later", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await hanako.call(sendDm, {
    receiverId: taro.user_id,
    file: fileOf(await quarters().jpeg().toBuffer()),
  });
  const filesBefore = (await readFiles(join(service.dataDir, "media"))).length;
  const [atTaro] = (await page(taro, hanako)).dms;
  expect((await service.fetch(atTaro!.file!)).status).toBe(200);

  await unsend(hanako, taro, dm.id);

  for (const address of [dm.file!, atTaro!.file!]) expect((await service.fetch(address)).status).toBe(404);
  expect(await service.db.selectFrom("media_files").where("kind", "=", "message").execute()).toEqual([]);
  service.clock.advance(25 * HOUR_MS);
  await destroyUnsentMessages(service.ctx);
  await eventually(async () =>
    expect(await readFiles(join(service.dataDir, "media"))).toHaveLength(filesBefore - 1),
  );
});

test("sends an event to both members' devices, and lists the message in the next fetch", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const old = await write(hanako, taro, "an old one");
  const newest = await write(taro, hanako, "the newest");
  const before = await page(taro, hanako);
  expect(before).toMatchObject({ unsent: [], unsent_no: 0 });
  const sockets = [
    await there.memberAt(taro).socket("/ws/events"),
    await hanako.socket("/ws/events"),
  ] as const;
  const ofStranger = await taro.socket(`/ws/dm/${hanako.user_id}`);

  await unsend(hanako, taro, old.id);

  await eventually(() =>
    expect(framesOf(sockets[0], "unsent")).toEqual([{ user_id: "hanako", dm_id: old.id }]),
  );
  await eventually(() =>
    expect(framesOf(sockets[1], "unsent")).toEqual([{ user_id: "taro", dm_id: old.id }]),
  );
  const away = await page(taro, hanako, { afterId: newest.id, unsentAfter: before.unsent_no });
  expect(away).toMatchObject({ dms: [], has_more: false, unsent: [old.id], unsent_no: 1 });
  const again = await page(taro, hanako, { afterId: newest.id, unsentAfter: away.unsent_no });
  expect(again).toMatchObject({ unsent: [], unsent_no: 1 });
  await write(hanako, taro, "the end");
  await eventually(() => expect(ofStranger.frames).toHaveLength(1));
  expect(framesOf(ofStranger, "unsent")).toEqual([]);
});

test("lists 150 unsent messages once each, a hundred at a time", async () => {
  const { hanako, taro } = await newPair();
  const texts = Array.from({ length: 150 }, (_, i) => `message ${i}`);
  const sent = await Promise.all(texts.map((text) => write(hanako, taro, text)));
  const ids = sent.map(({ id }) => id);
  const last = await write(hanako, taro, "stays");
  await Promise.all(ids.map((id) => unsend(hanako, taro, id)));

  const first = await page(taro, hanako, { afterId: last.id, unsentAfter: 0 });
  const second = await page(taro, hanako, { afterId: last.id, unsentAfter: first.unsent_no });

  expect([first.unsent.length, first.has_more]).toEqual([100, true]);
  expect([second.unsent.length, second.has_more]).toEqual([50, false]);
  expect([...first.unsent, ...second.unsent].toSorted()).toEqual(ids.toSorted());
}, 60_000);

test("shows the previous message in the list, and no unread state", async () => {
  const { hanako, taro } = await newPair();
  const list = async (me: TestMember) => {
    const { matches, dms, unread } = await me.call(getLastDms, {});
    return { matches: matches.length, texts: dms.map(({ description }) => description), unread };
  };
  const first = await write(hanako, taro, "first");
  await taro.call(readDm, { friendId: hanako.user_id, dmId: first.id });
  const second = await write(hanako, taro, "second");
  expect(await list(taro)).toEqual({ matches: 0, texts: ["second"], unread: [hanako.user_id] });

  await unsend(hanako, taro, second.id);
  expect(await list(taro)).toEqual({ matches: 0, texts: ["first"], unread: [] });
  expect(await list(hanako)).toEqual({ matches: 0, texts: ["first"], unread: [] });

  await unsend(hanako, taro, first.id);
  expect(await list(taro)).toEqual({ matches: 1, texts: [], unread: [] });

  await write(hanako, taro, "anew");
  expect(await list(taro)).toEqual({ matches: 0, texts: ["anew"], unread: [hanako.user_id] });
});

test("returns the unsent message when a device sends it again", async () => {
  const { hanako, taro } = await newPair();
  const input = { receiverId: taro.user_id, description: "too much", clientId: randomUUID() };
  const { dm } = await hanako.call(sendDm, input);
  await unsend(hanako, taro, dm.id);

  const again = await hanako.call(sendDm, input);

  expect(again.dm).toMatchObject({ id: dm.id, description: null, file: null, unsent: true });
  expect(await textsOf(taro, hanako)).toEqual([]);
});

test("keeps the order and counts each message once when both members send and unsend on two servers", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const socket = await taro.socket("/ws/events");
  const sendAndUnsend = async (from: TestMember, to: TestMember, i: number) => {
    const { id } = await write(from, to, `gone ${i}`);
    await Promise.all([
      unsend(from, to, id),
      unsend(there.memberAt(from), to, id),
      write(from, to, `stays ${i} of ${from.user_id}`),
    ]);
    return id;
  };

  const gone = await Promise.all(
    Array.from({ length: 20 }, (_, i) => [
      sendAndUnsend(hanako, taro, i),
      sendAndUnsend(taro, hanako, i),
    ]).flat(),
  );

  const { dms, unsent_no } = await page(taro, hanako);
  expect(unsent_no).toBe(40);
  expect(dms).toHaveLength(40);
  expect(dms.every(({ description }) => description!.startsWith("stays"))).toBe(true);
  const newest = dms.at(-1)!.description;
  for (const me of [hanako, taro]) expect((await me.call(getLastDms, {})).dms[0]!.description).toBe(newest);
  await eventually(() => expect(framesOf(socket, "unsent")).toHaveLength(40));
  expect(
    framesOf(socket, "unsent")
      .map((frame) => (frame as { dm_id: string }).dm_id)
      .toSorted(),
  ).toEqual(gone.toSorted());
}, 60_000);

test("keeps an unsent message reportable for 24 hours, unseen, and lists it to its receiver only", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T10:20:00Z");
  let { hanako, taro } = await hanakoAndTaro(service);
  const file = fileOf(await quarters().jpeg().toBuffer());
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "an insult", file });
  const report = (reason: "harassment" | "spam", who = hanako, whom = "taro") =>
    who.call(reportUser, { userId: whom, reason, dmId: dm.id });

  await unsend(taro, hanako, dm.id);

  const { dms, taken_back } = await page(hanako, taro);
  expect(dms).toEqual([]);
  expect(taken_back).toEqual([{ id: dm.id, created_at: dm.created_at, seconds_left: 24 * 3600 + 40 * 60 }]);
  expect((await page(taro, hanako)).taken_back).toEqual([]);
  const tables = await dumpTables(service.databaseUrl);
  expect(placesWith(encodingsOf("an insult"), tables)).toEqual([]);
  await report("spam", taro, "hanako");
  await block(taro, hanako);
  service.clock.advance(24 * HOUR_MS);
  await destroyUnsentMessages(service.ctx);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await report("harassment");
  const messages = async () =>
    (await readOpenReports(service.ctx)).map(({ reason, message }) => [
      reason,
      message?.text,
      message?.hasImage,
    ]);
  expect(await messages()).toEqual([
    ["spam", undefined, undefined],
    ["harassment", "an insult", true],
  ]);

  service.clock.advance(HOUR_MS);
  hanako = await logInAgain(service, hanako);
  await report("spam");
  expect((await messages()).at(-1)).toEqual(["spam", undefined, undefined]);
  await destroyUnsentMessages(service.ctx);
  expect(await service.db.selectFrom("unsent_messages").selectAll().execute()).toEqual([]);
  await eventually(async () =>
    expect(await service.db.selectFrom("media_files").select("kind").execute()).toEqual([{ kind: "case" }]),
  );
});

test("keeps an unsent message reportable when its sender leaves, and nothing of it when its receiver leaves", async () => {
  for (const side of ["sender", "receiver"]) {
    const { hanako, taro } = await newPair();
    const file = fileOf(await quarters().jpeg().toBuffer());
    const { dm } = await taro.call(sendDm, { receiverId: hanako.user_id, description: "gone", file });
    await unsend(taro, hanako, dm.id);
    await block(hanako, taro);

    await (side === "sender" ? taro : hanako).call(deleteAccount, {});

    const kept = shared.db.selectFrom("unsent_messages").selectAll().where("message_id", "=", dm.id);
    expect(await kept.execute()).toHaveLength(side === "sender" ? 1 : 0);
    const files = shared.db.selectFrom("media_files").selectAll().where("member_no", "=", taro.memberId);
    expect(await files.where("kind", "=", "unsent").execute()).toHaveLength(side === "sender" ? 1 : 0);
  }
});

test("deletes a conversation of unsent messages after a block or a deletion", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male", paid: true });
  await match(hanako, jiro);
  for (const other of [taro, jiro]) await unsend(hanako, other, (await write(hanako, other, "x")).id);

  await taro.call(blockUser, { userId: hanako.user_id });
  await hanako.call(deleteAccount, {});
  await forgetDeletedMembers(service);

  for (const table of ["messages", "conversations", "inbox", "unsent_messages"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
});
