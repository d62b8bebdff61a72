import { beforeAll, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { deleteAccount } from "@alcove/contract/accounts";
import { lengthOf } from "@alcove/contract/text-rules";
import { MESSAGE_MAX } from "@alcove/contract/limits";
import { getDms, getLastDms, sendDm, type Dm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { allTranslations } from "@alcove/i18n/all";
import { suspendMember } from "../accounts/index.ts";
import { hold } from "../testing/hold.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";

const dmFile = async () =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
          .jpeg()
          .toBuffer(),
      ),
    ],
    "a.jpg",
  );

/** Oldest first, page by page as the chat does. */
async function history(me: TestMember, other: TestMember): Promise<Dm[]> {
  const all: Dm[] = [];
  for (;;) {
    const { dms, has_more } = await me.call(getDms, { friendId: other.user_id, lastId: all[0]?.id ?? null });
    all.unshift(...dms);
    if (!has_more) return all;
  }
}

const post = (from: TestMember, body: string) =>
  from.fetch("/en/dm/api/dm", { method: "POST", headers: { "content-type": "application/json" }, body });

const textsOf = (dms: readonly Dm[]) => dms.map(({ description }) => description);

/** Of the tests that need no other members, rows or processes. */
let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
});
const newPair = () => hanakoAndTaro(shared, pairCount++);

test("shows a message to its receiver with both members as they see them", async () => {
  const { hanako, taro } = await newPair();

  const { dm } = await hanako.call(sendDm, { receiverId: taro.user_id, description: "Good evening" });

  const { dms, has_more } = await taro.call(getDms, { friendId: hanako.user_id });
  expect(has_more).toBe(false);
  expect(dms).toHaveLength(1);
  expect(dms[0]).toMatchObject({
    id: dm.id,
    sender: { user_id: hanako.user_id },
    receiver: { user_id: taro.user_id },
    description: "Good evening",
    file: null,
    created_at: dm.created_at,
  });
});

test("returns the same error when the other is unmatched, non-existent, suspended or the member themselves", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const unmatched = await service.member("jiro");
  await suspendMember(service.ctx, taro.memberId);

  for (const userId of [unmatched.user_id, "nobody", hanako.user_id, taro.user_id, "a\u0000b", "💐"]) {
    const sent = await expectError(
      hanako.call(sendDm, { receiverId: userId, description: "Hello" }),
      "conversation_not_found",
    );
    const read = await expectError(hanako.call(getDms, { friendId: userId }), "conversation_not_found");
    expect(sent.status).toBe(404);
    expect(read.body).toEqual(sent.body);
  }
});

test("pages back through 150 messages without duplicates or gaps, and on from the last seen one", async () => {
  const { hanako, taro } = await newPair();
  const written: string[] = [];
  for (let i = 0; i < 150; i++) {
    const [from, to] = i % 3 === 0 ? [taro, hanako] : [hanako, taro];
    written.push(`message ${i}`);
    await from.call(sendDm, { receiverId: to.user_id, description: `message ${i}` });
  }

  const newest = await taro.call(getDms, { friendId: hanako.user_id });
  const all = await history(taro, hanako);

  expect(textsOf(newest.dms)).toEqual(written.slice(50));
  expect(newest.has_more).toBe(true);
  expect(textsOf(all)).toEqual(written);

  const first = await taro.call(getDms, { friendId: hanako.user_id, afterId: all[48]!.id });
  const second = await taro.call(getDms, { friendId: hanako.user_id, afterId: first.dms.at(-1)!.id });

  expect([textsOf(first.dms), first.has_more]).toEqual([written.slice(49, 149), true]);
  expect([textsOf(second.dms), second.has_more]).toEqual([written.slice(149), false]);
});

test("stores one message when it is sent ten times at the same time, and shows its client id only to the sender", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const beside = await serviceForTest({ beside: service });
  const clientId = randomUUID();
  const input = { receiverId: taro.user_id, description: "once", clientId };

  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0 ? hanako.call(sendDm, input) : beside.memberAt(hanako).call(sendDm, input),
    ),
  );

  expect(new Set(responses.map(({ dm }) => dm.id)).size).toBe(1);
  expect(responses.every(({ dm }) => dm.clientId === clientId)).toBe(true);
  const [atTaro] = await history(taro, hanako);
  expect(await history(taro, hanako)).toHaveLength(1);
  expect(atTaro).not.toHaveProperty("clientId");
});

test("accepts the same client id from both members", async () => {
  const { hanako, taro } = await newPair();
  const clientId = randomUUID();

  await hanako.call(sendDm, { receiverId: taro.user_id, description: "hers", clientId });
  await taro.call(sendDm, {
    receiverId: hanako.user_id,
    description: "his",
    clientId: clientId.toUpperCase(),
  });

  expect(textsOf(await history(hanako, taro))).toEqual(["hers", "his"]);
});

test("keeps emoji, right-to-left text and line breaks", async () => {
  const { hanako, taro } = await newPair();
  const texts = ["💐👩‍❤️‍👨", "مساء الخير, hello", "一行目\n二行目"];

  for (const description of texts) await hanako.call(sendDm, { receiverId: taro.user_id, description });

  expect(textsOf(await history(taro, hanako))).toEqual(texts);
});

test("accepts 2,000 characters, counting a line break and an emoji as one each, and rejects 2,001", async () => {
  const { hanako, taro } = await newPair();
  const fitting = `${"💐".repeat(MESSAGE_MAX - 2)}\r\nx`;

  const { dm } = await hanako.call(sendDm, { receiverId: taro.user_id, description: fitting });
  const tooLong = await expectError(
    hanako.call(sendDm, { receiverId: taro.user_id, description: `${fitting}x` }),
    "invalid_input",
  );

  expect(lengthOf(dm.description!)).toBe(MESSAGE_MAX);
  expect(tooLong.body["validation_errors"]).toEqual({ description: ["too_long"] });
});

test("rejects an empty message, unseen characters and an invalid image, and stores nothing", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const receiverId = taro.user_id;
  const page = new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "a.png");

  await expectError(hanako.call(sendDm, { receiverId }), "empty_message");
  await expectError(hanako.call(sendDm, { receiverId, description: "  \r\n " }), "empty_message");
  await expectError(hanako.call(sendDm, { receiverId, description: "\u0000\u200b" }), "invalid_input");
  await expectError(
    hanako.call(sendDm, { receiverId, description: "x", clientId: "not-a-uuid" }),
    "invalid_input",
  );
  const noImage = await expectError(hanako.call(sendDm, { receiverId, file: page }), "not_an_image");
  await expectError(hanako.call(getDms, { friendId: receiverId, lastId: "0" }), "invalid_input");

  expect(noImage.body["validation_errors"]).toEqual({ file: ["not_an_image"] });
  expect(await history(taro, hanako)).toEqual([]);
  expect(await service.db.selectFrom("conversations").selectAll().execute()).toEqual([]);
});

test("sends the text of a form when its file field is empty, in any encoding", async () => {
  const { hanako, taro } = await newPair();
  const fields = { receiverId: taro.user_id, description: "Good evening", file: "", clientId: "" };
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, value);
  // As browsers send a file field without a file.
  const asBrowsers = new FormData();
  for (const [name, value] of Object.entries(fields)) asBrowsers.append(name, value);
  asBrowsers.set("file", new File([], ""));

  for (const body of [new URLSearchParams(fields), multipart, asBrowsers]) {
    expect((await hanako.fetch("/en/dm/api/dm", { method: "POST", body })).status).toBe(200);
  }

  expect(textsOf(await history(taro, hanako))).toEqual(["Good evening", "Good evening", "Good evening"]);
});

test("shows a picture, with or without text, to both members", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);

  await hanako.call(sendDm, { receiverId: taro.user_id, file: await dmFile() });
  const { dm } = await hanako.call(sendDm, {
    receiverId: taro.user_id,
    file: await dmFile(),
    description: "The garden",
  });

  const [alone, withWords] = await history(taro, hanako);
  expect(alone).toMatchObject({ description: null });
  expect(withWords).toMatchObject({ description: "The garden" });
  expect(withWords!.file).not.toBe(dm.file);
  for (const address of [dm.file!, withWords!.file!]) {
    const response = await service.fetch(address);
    expect(response.status).toBe(200);
    expect((await sharp(await response.bytes()).metadata()).width).toBe(40);
  }
});

test("keeps a picture once when it is sent again under one client id", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const input = { receiverId: taro.user_id, file: await dmFile(), clientId: randomUUID() };

  await Promise.all([hanako.call(sendDm, input), hanako.call(sendDm, input), hanako.call(sendDm, input)]);

  const kept = await service.db.selectFrom("media_files").selectAll().where("kind", "=", "message").execute();
  expect(kept).toHaveLength(1);
  const [dm] = await history(taro, hanako);
  expect((await service.fetch(dm!.file!)).status).toBe(200);
});

test("lists new matches and the latest message of each conversation, newest first", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const others: TestMember[] = [];
  for (const name of ["jiro", "saburo", "shiro"]) {
    service.clock.advance(60_000);
    const other = await service.member(name, { sex: "male" });
    await match(hanako, other);
    others.push(other);
  }
  const [jiro, saburo, shiro] = others as [TestMember, TestMember, TestMember];

  await hanako.call(sendDm, { receiverId: taro.user_id, description: "first" });
  service.clock.advance(60_000);
  await jiro.call(sendDm, { receiverId: hanako.user_id, description: "second" });
  service.clock.advance(60_000);
  await taro.call(sendDm, { receiverId: hanako.user_id, description: "third" });

  const { matches, dms } = await hanako.call(getLastDms, {});
  expect(matches.map(({ user_id }) => user_id)).toEqual([shiro.user_id, saburo.user_id]);
  expect(textsOf(dms)).toEqual(["third", "second"]);
});

test("stores no readable text in the tables", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "wisteria-4711" });
  await hanako.call(sendDm, { receiverId: taro.user_id, file: await dmFile(), description: "wisteria-4712" });

  const dump = await Promise.all(
    (["messages", "conversations", "inbox"] as const).map(async (table) => {
      const rows = await service.db.selectFrom(table).selectAll().execute();
      return rows.flatMap((row) =>
        Object.values(row).map((value) =>
          Buffer.isBuffer(value) ? value.toString("latin1") : String(value),
        ),
      );
    }),
  );

  const { media_id: mediaId } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("kind", "=", "message")
    .executeTakeFirstOrThrow();
  expect(dump.flat().length).toBeGreaterThan(10);
  expect(dump.flat().join("\n")).not.toContain("wisteria");
  expect(dump.flat().join("\n")).not.toContain(mediaId);
});

test("accepts the longest text when JSON escapes each character", async () => {
  const { hanako, taro } = await newPair();
  const escaped = "각"
    .repeat(MESSAGE_MAX)
    .normalize("NFD")
    .replaceAll(/./gu, (character) => `\\u${character.codePointAt(0)!.toString(16)}`);

  const response = await post(hanako, `{"receiverId":"${taro.user_id}","description":"${escaped}"}`);

  expect(response.status).toBe(200);
  expect(textsOf(await history(hanako, taro))).toEqual(["각".repeat(MESSAGE_MAX)]);
});

test("accepts sixty messages a minute and returns when to send the next one", async () => {
  const { hanako } = await hanakoAndTaro(await serviceForTest({ config: { hasRateLimits: true } }));
  for (let i = 0; i < 60; i++) await hanako.call(sendDm, { receiverId: "taro", description: "Again" });

  const response = await post(hanako, '{"receiverId":"taro","description":"Too many"}');

  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("responds after the same time when the receiver is blocking, unmatched or non-existent", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await service.member("jiro", { sex: "male" });
  await taro.call(blockUser, { userId: "hanako" });

  for (const receiverId of ["taro", "jiro", "nobody"]) {
    const began = performance.now();
    await expectError(hanako.call(sendDm, { receiverId, description: "Hello?" }), "conversation_not_found");
    // Timers can end slightly early on this clock.
    expect(performance.now() - began).toBeGreaterThan(35);
  }
});

test("sends messages to the new owner of a user id when the previous member has left", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const send = async (description: string) => hanako.call(sendDm, { receiverId: "Taro", description });
  await send("To the first");
  await taro.call(deleteAccount, {});

  await expectError(send("To nobody"), "conversation_not_found");
  await service.db.deleteFrom("former_user_ids").execute(); // as after 90 days
  const another = await service.member("taro", { sex: "male" });
  await expectError(send("To a stranger"), "conversation_not_found");
  await match(hanako, another);
  await send("To the second");

  expect(textsOf(await history(another, hanako))).toEqual(["To the second"]);
});

test("shows the sender's current name in each message", async () => {
  const { hanako, taro } = await newPair();
  const his = await taro.socket("/ws/events");
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "one" });

  await hanako.call(saveProfile, { username: "Hana" });
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "two" });

  const names = () => (his.frames as { dm: Dm }[]).map(({ dm }) => dm.sender.username);
  await eventually(() => expect(names()).toEqual([hanako.user_id, "Hana"]));
});

test("finishes the current request when the server closes", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const lock = await hold(here.db, "lock table messages in access exclusive mode");
  const sending = there.memberAt(hanako).call(sendDm, { receiverId: "taro", description: "Before the end" });
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      here.db,
    );
    expect(rows).not.toEqual([]);
  });

  const closing = there.close();
  await lock.release();
  await Promise.all([sending, closing]);

  expect(textsOf(await history(taro, hanako))).toEqual(["Before the end"]);
});

test("returns a generic error when an unexpected error occurs", async () => {
  const service = await serviceForTest();
  const { hanako } = await hanakoAndTaro(service);
  const send = async () => post(hanako, '{"receiverId":"taro","description":"Hello"}');
  await sql`alter table messages rename to messages_elsewhere`.execute(service.db);

  const response = await send();

  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ code: "fault", error_message: allTranslations.en.errors.fault });
  await sql`alter table messages_elsewhere rename to messages`.execute(service.db);
  expect((await send()).status).toBe(200);
});
