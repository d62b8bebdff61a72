import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getDms, getLastDms, readDm, sendDm, type Dm } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { allTranslations } from "@alcove/i18n/all";
import { hanakoAndTaro, match, serviceForTest } from "../testing/match.ts";
import { eventually, type TestMember, type TestService, type TestSocket } from "../testing/test-service.ts";

const dmsOf = ({ frames }: TestSocket): Dm[] =>
  (frames as { dm?: Dm }[]).flatMap(({ dm }) => (dm ? [dm] : []));
const textsOf = (socket: TestSocket) => dmsOf(socket).map(({ description }) => description);
const dmOf = ({ body }: { body?: unknown }): Dm => (body as { dm: Dm }).dm;

/** Returns status and body of a call over HTTP. */
async function callOverHttp(
  member: TestMember,
  call: typeof sendDm | typeof readDm,
  input: object,
  lang = "en",
) {
  const { path, ...init } = buildRequest(call, input as never, lang);
  const response = await member.fetch(path, init);
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
}

async function textsBetween({ call }: TestMember, other: TestMember) {
  const { dms } = await call(getDms, { friendId: other.user_id });
  return dms.map(({ description }) => description);
}

test("responds with the message on its own socket and pushes it once to all other sockets", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const [sender, ...others] = [
    await hanako.socket("/ws/events"),
    await hanako.socket("/ws/events"),
    await hanako.socket("/ws/dm/taro"),
    await taro.socket("/ws/events"),
    await taro.socket("/ws/dm/hanako"),
  ];
  const clientId = crypto.randomUUID();

  const reply = await sender.call(sendDm, { receiverId: "taro", description: "Good evening", clientId });

  expect(reply).toMatchObject({ status: 200, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(dmOf(reply)).toMatchObject({
    description: "Good evening",
    clientId,
    sender: { user_id: "hanako" },
  });
  await taro.call(sendDm, { receiverId: "hanako", description: "And to you" });
  for (const socket of others)
    await eventually(() => expect(textsOf(socket)).toEqual(["Good evening", "And to you"]));
  await eventually(() => expect(textsOf(sender)).toEqual(["And to you"]));
  expect(dmsOf(others[0])[0]).toEqual(dmOf(reply));
  expect(await textsBetween(taro, hanako)).toEqual(["Good evening", "And to you"]);
});

test("stores a message once when it is repeated over sockets and HTTP at the same time", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const sockets = [await hanako.socket("/ws/events"), await there.meet(hanako).socket("/ws/events")];
  const input = { receiverId: "taro", description: "Only once", clientId: crypto.randomUUID() };

  const replies = await Promise.all(
    Array.from({ length: 5 }, () => [
      ...sockets.map((socket) => socket.call(sendDm, input)),
      callOverHttp(hanako, sendDm, input),
    ]).flat(),
  );

  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(new Set(replies.map((reply) => dmOf(reply).id)).size).toBe(1);
  expect(await textsBetween(taro, hanako)).toEqual(["Only once"]);
});

test("handles the requests of one socket in order", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const socket = await hanako.socket("/ws/events");
  const texts = Array.from({ length: 17 }, (_, no) => `number ${no}`);

  await Promise.all(
    texts.map(async (description) => socket.call(sendDm, { receiverId: "taro", description })),
  );

  const answered = (socket.frames as { answer?: { no: number } }[]).flatMap(({ answer }) => answer?.no ?? []);
  expect(answered).toEqual(texts.map((_, no) => no));
  expect(await textsBetween(taro, hanako)).toEqual(texts);
});

test("rejects excess requests of a socket and accepts later ones", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const socket = await hanako.socket("/ws/events");
  const send = async (no: number) => socket.call(sendDm, { receiverId: "taro", description: `number ${no}` });

  const replies = await Promise.all(Array.from({ length: 100 }, async (_, no) => send(no)));

  const taken = replies.filter(({ status }) => status === 200);
  expect(taken.length).toBeGreaterThanOrEqual(17);
  expect(taken.length).toBeLessThan(100);
  for (const { status, body } of replies)
    if (status !== 200)
      expect({ status, body }).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
  expect(await textsBetween(taro, hanako)).toHaveLength(taken.length);
  expect((await send(100)).status).toBe(200);
});

test("returns the same errors as over HTTP in the requested language", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Hello" });
  const socket = await hanako.socket("/ws/events");
  const to = { receiverId: "taro" };
  const cases: [typeof sendDm | typeof readDm, object][] = [
    [sendDm, { ...to, description: "x".repeat(2_001) }],
    [sendDm, { ...to, description: " " }],
    [sendDm, to],
    [sendDm, { description: "To whom?" }],
    [sendDm, { ...to, description: "x", clientId: "mine" }],
    [sendDm, { ...to, description: "x", file: "picture.png" }],
    [sendDm, { receiverId: "hanako", description: "Dear diary" }],
    [sendDm, { receiverId: "nobody", description: "Hello?" }],
    [readDm, { friendId: "nobody" }],
    [readDm, { friendId: "taro", dmId: "1" }],
    [readDm, { friendId: "taro", dmId: dm.id }],
  ];

  for (const lang of ["en", "ja", "tlh"]) {
    for (const [call, input] of cases) {
      const { status, body } = await socket.call(call, input, lang);
      expect({ status, body }, JSON.stringify(input)).toEqual(await callOverHttp(hanako, call, input, lang));
    }
  }
  const none = await socket.call(sendDm, to, "zh-hant");
  expect(none.body).toMatchObject({ error_message: allTranslations["zh-hant"].errors.empty_message });
  expect(await textsBetween(hanako, taro)).toEqual(["Hello"]);
});

test("shows a read position to the other side when it is sent over the socket", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Hello" });
  const [hers, his] = [await hanako.socket("/ws/events"), await taro.socket("/ws/events")];

  expect(await hers.call(readDm, { friendId: "taro", dmId: dm.id })).toMatchObject({
    status: 204,
    body: null,
  });

  const read = { user_id: "hanako", reader_id: "hanako", dm_id: dm.id };
  await eventually(() => expect(his.frames).toContainEqual({ read }));
  expect((await hanako.call(getLastDms, {})).unread).toEqual([]);
});

test("returns the same error after the same time when the receiver is blocking, unmatched or non-existent", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await service.member("jiro", { sex: "male" });
  const socket = await hanako.socket("/ws/events");
  await taro.call(blockUser, { userId: "hanako" });

  for (const receiverId of ["taro", "jiro", "nobody"]) {
    const began = performance.now();
    const { status, body } = await socket.call(sendDm, { receiverId, description: "Hello?" });
    // Timers can end slightly early on this clock.
    expect(performance.now() - began).toBeGreaterThan(35);
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        code: "conversation_not_found",
        error_message: allTranslations.en.errors.conversation_not_found,
      },
    });
  }
});

test("rejects a message when its session has ended but the socket is still open", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const socket = await hanako.socket("/ws/events");
  const send = async (description: string) => socket.call(sendDm, { receiverId: "taro", description });
  expect((await send("Hello")).status).toBe(200);
  await endQuietly(service, hanako);

  expect(await send("Still here")).toMatchObject({ status: 401, body: { code: "login_required" } });
  const toNobody = await socket.call(sendDm, { receiverId: "nobody", description: "Who is there?" });
  expect(toNobody).toMatchObject({ status: 401 });
  expect(await textsBetween(taro, hanako)).toEqual(["Hello"]);
});

test("rejects a message when its member is suspended but the socket is still open", async () => {
  const service = await serviceForTest();
  const { hanako } = await hanakoAndTaro(service);
  const socket = await hanako.socket("/ws/events");
  const send = async (description: string) => socket.call(sendDm, { receiverId: "taro", description });
  expect((await send("Hello")).status).toBe(200);
  const updateStatus = service.db.updateTable("members").set({ account_status: "suspended" });
  await updateStatus.where("member_no", "=", hanako.memberId).execute();
  await endQuietly(service, hanako);

  expect(await send("Still here")).toMatchObject({ status: 401, body: { code: "account_suspended" } });
  expect(await service.db.selectFrom("messages").selectAll().execute()).toHaveLength(1);
});

/** Ends a member's sessions without an event. */
async function endQuietly({ db }: TestService, { memberId }: TestMember): Promise<void> {
  await db.updateTable("sessions").set({ ended_at: new Date() }).where("member_no", "=", memberId).execute();
}

test("applies one rate limit to sockets and HTTP, and returns when to retry", async () => {
  const { hanako } = await hanakoAndTaro(await serviceForTest({ config: { hasRateLimits: true } }));
  const socket = await hanako.socket("/ws/events");
  const input = { receiverId: "taro", description: "Again" };

  for (let no = 0; no < 30; no++) {
    expect((await socket.call(sendDm, input)).status).toBe(200);
    expect((await callOverHttp(hanako, sendDm, input)).status).toBe(200);
  }

  expect(await socket.call(sendDm, input)).toMatchObject({
    status: 429,
    retry_after: 60,
    body: { code: "too_many_requests" },
  });
});

test("does not count requests of an ended session against the member's rate limit", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const { hanako } = await hanakoAndTaro(service);
  const socket = await hanako.socket("/ws/events");
  const input = { receiverId: "taro", description: "Again" };
  expect((await socket.call(sendDm, input)).status).toBe(200);
  await endQuietly(service, hanako);

  for (let no = 0; no < 65; no++) expect((await socket.call(sendDm, input)).status).toBe(401);

  const sessions = service.db.updateTable("sessions").set({ ended_at: null });
  await sessions.where("member_no", "=", hanako.memberId).execute();
  expect((await callOverHttp(hanako, sendDm, input)).status).toBe(200);
});

test("accepts the longest text when JSON escapes each character", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const socket = await hanako.socket("/ws/events");
  const escaped = "각"
    .repeat(2_000)
    .normalize("NFD")
    .replaceAll(/./gu, (character) => `\\u${character.codePointAt(0)!.toString(16)}`);

  const reply = await socket.call(sendDm, `{"receiverId":"taro","description":"${escaped}"}`);

  expect(reply.status).toBe(200);
  expect(await textsBetween(taro, hanako)).toEqual(["각".repeat(2_000)]);
});

test("returns not_found for other calls, and rejects or ignores invalid requests", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const events = await hanako.socket("/ws/events");
  const conversation = await hanako.socket("/ws/dm/taro");
  for (const call of [
    deleteAccount.name,
    "getDms",
    "constructor",
    "__proto__",
    "toString",
    "",
    "x".repeat(9_000),
  ])
    expect(await events.call(call, {}), call).toMatchObject({ status: 404, body: { code: "not_found" } });

  const before = events.frames.length;
  const input = { receiverId: "taro", description: "x" };
  for (const ask of [
    { no: -1, call: "sendDm", lang: "en", input },
    { no: 7 },
    { no: 8, call: "sendDm", lang: "en", input: "x" },
  ])
    events.send({ ask });
  for (const frame of [{ ask: null }, { ask: { no: "1" } }, { ask: { no: 1.5 } }, { ask: [] }, "{", "null"])
    events.send(frame);
  conversation.send({ ask: { no: 1, call: "sendDm", lang: "en", input } });
  await taro.call(sendDm, { receiverId: "hanako", description: "Hello" });

  await eventually(() => expect(textsOf(events)).toEqual(["Hello"]));
  const replies = events.frames.slice(before, -1) as {
    answer: { no: number; status: number; body: object };
  }[];
  expect(replies.map(({ answer }) => [answer.no, answer.status])).toEqual([-1, 7, 8].map((no) => [no, 400]));
  for (const { answer } of replies) expect(answer.body).toMatchObject({ code: "malformed_request" });
  await eventually(() => expect(textsOf(conversation)).toEqual(["Hello"]));
  expect(await textsBetween(taro, hanako)).toEqual(["Hello"]);
});

test("returns a generic error when an unexpected error occurs", async () => {
  const { db, ...service } = await serviceForTest();
  const { hanako } = await hanakoAndTaro({ db, ...service });
  const socket = await hanako.socket("/ws/events");
  await sql`alter table messages rename to messages_elsewhere`.execute(db);

  const reply = await socket.call(sendDm, { receiverId: "taro", description: "Hello" });

  expect(reply).toMatchObject({
    status: 500,
    body: { code: "fault", error_message: allTranslations.en.errors.fault },
  });
  await sql`alter table messages_elsewhere rename to messages`.execute(db);
  expect((await socket.call(sendDm, { receiverId: "taro", description: "Hello" })).status).toBe(200);
});

test("finishes the current request and starts no other when the server closes", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  await taro.call(sendDm, { receiverId: "hanako", description: "Hello" });
  const socket = await there.meet(hanako).socket("/ws/events");
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;

  await here.db
    .transaction()
    .execute(async (tx) => {
      await sql`lock table messages in access exclusive mode`.execute(tx);
      const [first, next] = ["Before the end", "After it"].map((description) =>
        socket.call(sendDm, { receiverId: "taro", description }).catch(() => null),
      );
      await eventually(async () => expect((await waiting.execute(here.db)).rows[0]!.n).toBeGreaterThan(0));
      const closing = there.close();
      await eventually(() => expect(socket.closed).toBe(1001));
      return { first, next, closing };
    })
    .then(({ first, next, closing }) => Promise.all([first, next, closing]));

  expect(await textsBetween(taro, hanako)).toEqual(["Hello", "Before the end"]);
});

test("sends messages to the new owner of a user id when the previous member has left", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const socket = await hanako.socket("/ws/events");
  const send = async (description: string) => socket.call(sendDm, { receiverId: "Taro", description });
  expect((await send("To the first")).status).toBe(200);
  await taro.call(deleteAccount, {});

  expect((await send("To nobody")).status).toBe(404);
  const another = await service.member("taro", { sex: "male" });
  expect((await send("To a stranger")).status).toBe(404);
  await match(hanako, another);
  expect((await send("To the second")).status).toBe(200);

  expect(await textsBetween(another, hanako)).toEqual(["To the second"]);
});

test("shows the sender's current name in each message", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const [hers, his] = [await hanako.socket("/ws/events"), await taro.socket("/ws/events")];
  await hers.call(sendDm, { receiverId: "taro", description: "one" });

  await hanako.call(saveProfile, { username: "Hana" });
  await hers.call(sendDm, { receiverId: "taro", description: "two" });

  await eventually(() => expect(dmsOf(his).map(({ sender }) => sender.username)).toEqual(["hanako", "Hana"]));
});
