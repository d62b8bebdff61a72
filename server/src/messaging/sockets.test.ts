import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, getWsTicket, logOut } from "@alcove/contract/accounts";
import { DmFrame, getDms, getLastDms, sendDm, type Dm } from "@alcove/contract/messaging";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { rounds } from "../testing/rounds.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { ownService, serviceForTest } from "../testing/service-for-test.ts";
import {
  eventually,
  openSocket,
  expectError,
  type TestMember,
  type TestService,
  type TestSocket,
} from "../testing/test-service.ts";
import { nextMessageId } from "./message-id.ts";

const dmsOf = ({ frames }: TestSocket): Dm[] =>
  frames.flatMap((frame) => ("dm" in (frame as object) ? [DmFrame.parse(frame).dm] : []));
const textsOf = (socket: TestSocket) => dmsOf(socket).map(({ description }) => description);
const conversationWith = (member: TestMember) => `/ws/dm/${member.user_id}`;

const socketAt = ({ url }: TestService, path: string, options: { origin?: string } = {}) =>
  openSocket(`${url.replace("http", "ws")}${path}`, options);

test("delivers a message to all open sockets of both members and to no others", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male" });
  await match(hanako, jiro);
  const near = [
    await hanako.socket(conversationWith(taro)),
    await hanako.socket("/ws/events"),
    await taro.socket(conversationWith(hanako)),
    await taro.socket("/ws/events"),
  ];
  const elsewhere = [await hanako.socket(conversationWith(jiro)), await jiro.socket("/ws/events")];

  await hanako.call(sendDm, {
    receiverId: taro.user_id,
    description: "Good evening",
    clientId: crypto.randomUUID(),
  });

  for (const socket of near) await eventually(() => expect(textsOf(socket)).toEqual(["Good evening"]));
  await write(hanako, jiro, "Hello Jiro");
  for (const socket of elsewhere) await eventually(() => expect(textsOf(socket)).toEqual(["Hello Jiro"]));
  expect(near.slice(0, 2).every((socket) => dmsOf(socket)[0]!.clientId)).toBe(true);
  expect(near.slice(2).every((socket) => dmsOf(socket)[0]!.clientId === undefined)).toBe(true);
});

test("delivers 200 messages once and in one order when both members send at the same time through two servers", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const taroThere = there.memberAt(taro);
  const sockets = [
    await hanako.socket(conversationWith(taro)),
    await there.memberAt(hanako).socket("/ws/events"),
    await taro.socket("/ws/events"),
    await taroThere.socket(conversationWith(hanako)),
  ];

  await Promise.all(
    Array.from({ length: 100 }, (_, i) => [
      write(hanako, taro, `hers ${i}`),
      write(taroThere, hanako, `his ${i}`),
    ]).flat(),
  );

  const stored: Dm[] = [];
  for (let more = true; more;) {
    const page = await hanako.call(getDms, { friendId: taro.user_id, afterId: stored.at(-1)?.id ?? nil });
    stored.push(...page.dms);
    more = page.has_more;
  }
  const ids = stored.map(({ id }) => id);
  expect(new Set(stored.map(({ description }) => description)).size).toBe(200);
  expect(ids).toHaveLength(200);
  expect(ids).toEqual(ids.toSorted());
  for (const socket of sockets) {
    await eventually(() => expect(dmsOf(socket)).toHaveLength(200));
    expect(dmsOf(socket).map(({ id }) => id)).toEqual(ids);
  }
});

const nil = "00000000-0000-0000-0000-000000000000";

test("closes with 4401 when the token is invalid, or the ticket is used or missing", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { ticket } = await hanako.call(getWsTicket, {});
  await socketAt(service, `/ws/events?ticket=${ticket}`);
  const path = conversationWith(taro);

  for (const query of [
    "",
    "?token=",
    "?token=x",
    "?token=x&token=y",
    "?token=a%00b",
    `?ticket=${ticket}`,
    "?ticket=%F0%9F%92%90",
  ]) {
    const socket = await socketAt(service, path + query);
    await eventually(() => expect(socket.closed).toBe(4401));
  }
});

test("closes with 4401 when the member is suspended", async () => {
  const service = await serviceForTest();
  const { hanako } = await hanakoAndTaro(service);
  await service.db
    .updateTable("members")
    .set({ account_status: "suspended" })
    .where("member_no", "=", hanako.memberId)
    .execute();
  await service.db
    .updateTable("sessions")
    .set({ ended_at: service.clock.now() })
    .where("member_no", "=", hanako.memberId)
    .execute();

  const socket = await hanako.socket("/ws/events");

  await eventually(() => expect(socket.closed).toBe(4401));
});

test("closes with 4403 when the other is unmatched, non-existent, blocking or the member themselves", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const unmatched = await service.member("unmatched");
  await taro.call(blockUser, { userId: hanako.user_id });

  for (const userId of [unmatched.user_id, "nobody", hanako.user_id, taro.user_id, "%00", "%F0%9F%92%90"]) {
    const begin = performance.now();
    const socket = await hanako.socket(`/ws/dm/${userId}`);
    // The lookups of these reasons take different times, so the response waits for the end of an interval of 40 ms.
    expect(performance.now() - begin).toBeGreaterThan(35);
    await eventually(() => expect(socket.closed).toBe(4403));
  }
});

test("accepts a ticket only for 30 seconds and while its session is open", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const path = conversationWith(taro);
  const fresh = await hanako.call(getWsTicket, {});
  const stale = await hanako.call(getWsTicket, {});
  const orphan = await hanako.call(getWsTicket, {});

  const opened = await socketAt(service, `${path}?ticket=${fresh.ticket}`);
  service.clock.advance(31_000);
  const tooLate = await socketAt(service, `${path}?ticket=${stale.ticket}`);
  await write(taro, hanako, "Good evening");
  await eventually(() => expect(textsOf(opened)).toEqual(["Good evening"]));
  service.clock.advance(-31_000);
  await service.call(logOut, { token: hanako.refresh });
  const afterLogout = await socketAt(service, `${path}?ticket=${orphan.ticket}`);

  await eventually(() => expect(tooLate.closed).toBe(4401));
  await eventually(() => expect(afterLogout.closed).toBe(4401));
});

test("accepts one of ten sockets when they use one ticket at the same time", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { ticket } = await hanako.call(getWsTicket, {});

  const sockets = await Promise.all(
    Array.from({ length: 10 }, () => socketAt(service, `${conversationWith(taro)}?ticket=${ticket}`)),
  );

  await eventually(() => expect(sockets.filter(({ closed }) => closed === 4401)).toHaveLength(9));
  expect(sockets.filter(({ closed }) => closed === null)).toHaveLength(1);
});

test("rejects pages of other origins without using up the ticket", async () => {
  const service = await serviceForTest({ config: { publicUrl: "https://alcove.example" } });
  const { hanako, taro } = await hanakoAndTaro(service);
  const { ticket } = await hanako.call(getWsTicket, {});
  const path = `${conversationWith(taro)}?ticket=${ticket}`;

  for (const origin of [
    "https://elsewhere.example",
    "null",
    "https://alcove.example.elsewhere.example",
    "http://alcove.example",
    "http://localhost",
  ]) {
    const socket = await socketAt(service, path, { origin });
    await eventually(() => expect(socket.closed).toBe(4403));
  }
  for (const origin of [
    service.url,
    "https://alcove.example",
    "https://localhost",
    "capacitor://localhost",
  ]) {
    const again = await hanako.call(getWsTicket, {});
    const socket = await socketAt(service, `/ws/events?ticket=${again.ticket}`, { origin });
    const sent = await write(taro, hanako, `from ${origin}`);
    await eventually(() => expect(dmsOf(socket).map(({ id }) => id)).toEqual([sent.id]));
  }
  const first = await socketAt(service, path);
  expect(first.closed).toBe(null);
});

test("closes the session's sockets on all servers when the member logs out", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const cut = [
    await hanako.socket("/ws/events"),
    await there.memberAt(hanako).socket(conversationWith(taro)),
  ];
  const kept = await there.memberAt(taro).socket("/ws/events");

  await here.call(logOut, { token: hanako.refresh });

  for (const socket of cut) await eventually(() => expect(socket.closed).toBe(4401));
  expect(kept.closed).toBe(null);
});

test("closes a socket when its session ends during the upgrade", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  // Counts only the check of the match; jobs wait to write, or to count matches.
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_locks
    where not granted and relation = 'match_edges'::regclass and mode = 'AccessShareLock'
      and database = (select oid from pg_database where datname = current_database())
      and pid in (select pid from pg_stat_activity where query like '%other_no%')`;

  const opening = await service.db.transaction().execute(async (tx) => {
    // Blocks the upgrade between the check of the session and the check of the match.
    await sql`lock table match_edges in access exclusive mode`.execute(tx);
    const opened = hanako.socket(conversationWith(taro));
    await eventually(async () => expect((await waiting.execute(service.db)).rows[0]!.n).toBe(1));
    await service.call(logOut, { token: hanako.refresh });
    return { opened };
  });

  const socket = await opening.opened;
  await eventually(() => expect(socket.closed).toBe(4401));
});

test("closes the sockets and deletes the conversations when the account is deleted", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await write(hanako, taro, "Good evening");
  const hers = await hanako.socket("/ws/events");
  const his = await taro.socket("/ws/events");

  await hanako.call(deleteAccount, {});

  await eventually(() => expect(hers.closed).toBe(4401));
  expect(his.closed).toBe(null);
  expect(await taro.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [], muted: [] });
  await expectError(taro.call(getDms, { friendId: "hanako" }), "conversation_not_found");
  for (const table of ["messages", "conversations", "inbox"] as const) {
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test("closes and hides the conversation on both sides after a block, also when it is undone", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  await write(hanako, taro, "Good evening");
  const cut = [
    await hanako.socket(conversationWith(taro)),
    await there.memberAt(taro).socket(conversationWith(hanako)),
  ];
  const events = await there.memberAt(taro).socket("/ws/events");

  await hanako.call(blockUser, { userId: taro.user_id });

  for (const socket of cut) await eventually(() => expect(socket.closed).toBe(4403));
  expect(events.closed).toBe(null);
  await hanako.call(unblockUser, { userId: taro.user_id });
  for (const [me, other] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    expect(await me.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [], muted: [] });
    await expectError(me.call(getDms, { friendId: other.user_id }), "conversation_not_found");
    await expectError(
      me.call(sendDm, { receiverId: other.user_id, description: "?" }),
      "conversation_not_found",
    );
  }
});

test("keeps no message when a block or a deletion happens while messages are sent", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });

  for (let i = 0; i < rounds(16); i++) {
    const [her, him] = await Promise.all([service.member(`her${i}`), service.member(`him${i}`)]);
    await match(her, him);
    // Later messages take fewer locks than a first one, if the clock advances between them.
    if (i % 4 > 1) await write(her, him, "before");
    service.clock.advance(1);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 6 }, (_, n) => write(n % 2 ? her : beside.memberAt(her), him, "to him")),
      ...Array.from({ length: 6 }, (_, n) => write(n % 2 ? him : beside.memberAt(him), her, "to her")),
      i % 2 ? her.call(blockUser, { userId: him.user_id }) : her.call(deleteAccount, {}),
    ]);

    expect(outcomes.at(-1)).toMatchObject({ status: "fulfilled" });
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect([401, 404]).toContain(outcome.reason.status);
    }
    for (const table of ["messages", "conversations", "inbox"] as const) {
      expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  }
});

test("closes the sockets when their messages cannot be read, so that clients reconnect", async () => {
  const { db, ctx, ...service } = await ownService();
  const { hanako, taro } = await hanakoAndTaro({ db, ctx, ...service });
  const hers = await hanako.socket("/ws/events");
  const { id: previousId } = await write(hanako, taro, "Good evening");
  await eventually(() => expect(textsOf(hers)).toEqual(["Good evening"]));

  await sql`alter table messages rename to messages_elsewhere`.execute(db);
  const id = nextMessageId(new Date(), previousId);
  ctx.eventBus.publish("message_sent", { low: hanako.memberId, high: taro.memberId, id, previousId });

  await eventually(() => expect(hers.closed).toBe(1012));
});

test("ignores repeated announcements of a message", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const hers = await hanako.socket(conversationWith(taro));
  const his = await taro.socket(conversationWith(hanako));

  const first = await write(hanako, taro, "first");
  for (let i = 0; i < 3; i++) hers.send({ dm_id: first.id });
  await write(hanako, taro, "second");

  await eventually(() => expect(textsOf(his)).toEqual(["first", "second"]));
  expect(textsOf(hers)).toEqual(["first", "second"]);
});

test("responds to a ping on the events socket, but sends only messages on a conversation socket", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const events = await hanako.socket("/ws/events");
  const conversation = await hanako.socket(conversationWith(taro));

  for (const socket of [events, conversation]) {
    socket.send({ ping: true });
    socket.send({ ping: "?" });
  }

  await eventually(() => expect(events.frames).toEqual([{ pong: true }]));
  await write(taro, hanako, "Good evening");
  await eventually(() => expect(textsOf(conversation)).toEqual(["Good evening"]));
  expect(conversation.frames).toHaveLength(1);
});

test("ignores invalid text frames, and closes only the socket that sends bytes or too much", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  const valid = await hanako.socket(conversationWith(taro));
  const binary = await hanako.socket(conversationWith(taro));
  const bulky = await hanako.socket(conversationWith(taro));

  for (const frame of [
    "",
    "{",
    "null",
    "[]",
    '{"dm_id":7}',
    '{"dm_id":"\\u0000"}',
    '{"__proto__":{}}',
    "💐",
    "[".repeat(9_000),
  ]) {
    valid.send(frame);
  }
  binary.ws.send(Buffer.from([0, 1, 2, 255]));
  bulky.send("x".repeat(100_000));

  await eventually(() => expect(binary.closed).toBe(1003));
  await eventually(() => expect(bulky.closed).toBe(1009));
  await write(taro, hanako, "Good evening");
  await eventually(() => expect(textsOf(valid)).toEqual(["Good evening"]));
});

test("responds with 404 when a socket URL gets a plain request", async () => {
  const { fetch } = await serviceForTest();

  for (const path of ["/ws/events", "/ws/dm/hanako"]) {
    const response = await fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "not_found" });
  }
});
