import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { closeCodes, getDms, readDm, sendDm } from "@alcove/contract/messaging";
import type { api } from "../lib/api.ts";
import { callOverSocket } from "./socket-calls.ts";
import { Connection, type RealtimeEvent } from "./connection.ts";

/** A socket that does what the test says. */
class FakeSocket extends EventTarget {
  readyState = 0;
  sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  opens(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  hears(frame: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }
}

const [SILENCE_MS, ANSWER_MS, OPENING_MS] = [25_000, 10_000, 20_000];
/** While something that was asked is not answered, and how long that may take. */
const [ASK_SILENCE_MS, ASK_ANSWER_MS, ASK_MS] = [2_000, 3_000, 15_000];

function world() {
  const sockets: FakeSocket[] = [];
  const timers: { act: () => void; ms: number; isOver: boolean }[] = [];
  let isOffline = false;
  const connection = new Connection({
    openSocket: async () => {
      if (isOffline) throw new Error("offline");
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    setTimer: (act, ms) => {
      const timer = { act, ms, isOver: false };
      timers.push(timer);
      return () => (timer.isOver = true);
    },
    random: () => 1,
  });
  const heard: RealtimeEvent[] = [];
  connection.subscribe((event) => heard.push(event));
  return {
    connection,
    sockets,
    timers,
    /** The pauses before another try. */
    pauses: () =>
      timers.map(({ ms }) => ms).filter((ms) => ![SILENCE_MS, ANSWER_MS, OPENING_MS].includes(ms)),
    heard,
    setOffline: (to: boolean) => (isOffline = to),
    /** Lets the time pass that is waited for; answers how long that was. */
    ring: () => {
      const timer = timers.findLast(({ isOver }) => !isOver);
      if (timer) timer.isOver = true;
      timer?.act();
      return timer?.ms;
    },
    settled: () => new Promise((done) => setImmediate(done)),
  };
}

const match = { user_id: "taro", username: "Taro", icon: "/media/x" };

test("what the server says is heard by everybody who listens", async () => {
  const { connection, sockets, heard, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  sockets[0]!.hears({ match });
  sockets[0]!.hears({ lost: { user_id: "taro" } });

  expect(heard).toEqual([{ kind: "connected" }, { kind: "match", match }, { kind: "lost", userId: "taro" }]);
});

test("each time it opens, a connection says that something may have been missed before", async () => {
  const { connection, sockets, heard, ring, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();
  sockets[0]!.close();
  ring();
  await settled();
  sockets[1]!.opens();
  await settled();

  expect(heard).toEqual([{ kind: "connected" }, { kind: "connected" }]);
});

test("the pauses between tries grow to half a minute, and shrink again once it holds", async () => {
  const { connection, sockets, pauses, ring, setOffline, settled } = world();
  setOffline(true);
  connection.start();
  for (let i = 0; i < 9; i++) {
    await settled();
    ring();
  }
  await settled();
  expect(pauses()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);

  setOffline(false);
  ring();
  await settled();
  sockets[0]!.opens();
  await settled();
  sockets[0]!.close();
  expect(pauses().at(-1)).toBe(500);
});

test("coming online tries at once", async () => {
  const { connection, sockets, setOffline, settled } = world();
  setOffline(true);
  connection.start();
  await settled();
  setOffline(false);

  connection.wake();
  await settled();

  expect(sockets).toHaveLength(1);
});

test("a connection that may be dead is given up for another", async () => {
  const { connection, sockets, heard, ring, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  connection.renew();
  connection.renew();
  ring();
  await settled();
  sockets[1]!.opens();
  await settled();

  expect(sockets).toHaveLength(2);
  expect(sockets[0]!.readyState).toBe(3);
  expect(heard).toEqual([{ kind: "connected" }, { kind: "connected" }]);
});

test("a page whose place another page has taken comes back when somebody looks at it", async () => {
  const { connection, sockets, pauses, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  sockets[0]!.close(closeCodes.tooMany);
  await settled();
  expect(sockets).toHaveLength(1);
  expect(pauses()).toEqual([]);

  connection.wake();
  await settled();
  expect(sockets).toHaveLength(2);
});

test("after a stop nothing is opened any more", async () => {
  const { connection, sockets, pauses, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  connection.stop();
  connection.wake();
  await settled();

  expect(sockets).toHaveLength(1);
  expect(pauses()).toEqual([]);
});

test("a connection that has been silent is asked for a word, and given up when none comes", async () => {
  const { connection, sockets, heard, ring, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  expect(ring()).toBe(SILENCE_MS);
  expect(sockets[0]!.sent).toEqual(['{"ping":true}']);
  sockets[0]!.hears({ pong: true });
  expect(ring()).toBe(SILENCE_MS);
  expect(ring()).toBe(ANSWER_MS);

  expect(sockets[0]!.readyState).toBe(3);
  ring();
  await settled();
  expect(sockets).toHaveLength(2);
  expect(heard).toEqual([{ kind: "connected" }]);
});

test("when somebody looks at the page again, an open connection has to show at once that it lives", async () => {
  const { connection, sockets, ring, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();

  connection.wake();

  expect(sockets[0]!.sent).toEqual(['{"ping":true}']);
  expect(ring()).toBe(ANSWER_MS);
  expect(sockets[0]!.readyState).toBe(3);
});

test("a connection that never opens is given up, and what it says later is not heard", async () => {
  const { connection, sockets, heard, ring, settled } = world();
  connection.start();
  await settled();

  expect(ring()).toBe(OPENING_MS);
  ring();
  await settled();
  sockets[1]!.opens();
  sockets[0]!.opens();
  await settled();
  sockets[0]!.hears({ match });
  sockets[1]!.hears({ match });

  expect(heard).toEqual([{ kind: "connected" }, { kind: "match", match }]);
});

test("what was read and taken back is heard, and what this version does not know is not", async () => {
  const { connection, sockets, heard, settled } = world();
  connection.start();
  await settled();
  sockets[0]!.opens();
  await settled();
  heard.length = 0;

  sockets[0]!.hears({ read: { user_id: "taro", reader_id: "hanako", dm_id: "1" } });
  sockets[0]!.hears({ unsent: { user_id: "taro", dm_id: "2" } });
  sockets[0]!.hears({ something: "new" });

  expect(heard).toEqual([
    { kind: "read", userId: "taro", readerId: "hanako", dmId: "1" },
    { kind: "unsent", userId: "taro", dmId: "2" },
  ]);
});

/** A connection that is open, and its socket. */
async function opened() {
  const beside = world();
  beside.connection.start();
  await beside.settled();
  const socket = beside.sockets[0]!;
  socket.opens();
  await beside.settled();
  beside.heard.length = 0;
  return { ...beside, socket };
}

const reading = { call: "readDm", lang: "ja", input: { friendId: "taro" } };
const answerTo = (no: number, status = 204, body: unknown = null) => ({
  answer: { no, status, body, request_id: "1" },
});

test("an answer comes to who has asked, in whatever order answers come, and nobody else hears of it", async () => {
  const { connection, socket, heard } = await opened();

  const first = connection.request(reading);
  const second = connection.request({ ...reading, input: { friendId: "jiro" } });
  expect(socket.sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { ask: { no: 1, ...reading } },
    { ask: { no: 2, ...reading, input: { friendId: "jiro" } } },
  ]);
  socket.hears(answerTo(2, 200, "second"));
  socket.hears(answerTo(1, 200, "first"));
  socket.hears(answerTo(7));

  expect(await first).toMatchObject({ status: 200, body: "first" });
  expect(await second).toMatchObject({ status: 200, body: "second" });
  expect(heard).toEqual([]);
});

test("what was asked over a connection that ends is not waited for, and its number is not used again", async () => {
  const { connection, sockets, socket, ring, settled } = await opened();

  const asked = [connection.request(reading), connection.request(reading)];
  socket.close();
  expect(await Promise.all(asked)).toEqual([null, null]);

  ring();
  await settled();
  sockets[1]!.opens();
  await settled();
  void connection.request(reading);
  expect(sockets[1]!.sent).toEqual([JSON.stringify({ ask: { no: 3, ...reading } })]);
});

test("a page whose place another page has taken waits for no answer", async () => {
  const { connection, socket } = await opened();

  const asked = connection.request(reading);
  socket.close(closeCodes.tooMany);

  expect(await asked).toBeNull();
});

test("a connection that says nothing at all after an ask is asked for a word, and given up when none comes", async () => {
  const { connection, sockets, socket, ring, settled } = await opened();

  const asked = connection.request(reading);
  expect(ring()).toBe(ASK_SILENCE_MS);
  expect(socket.sent.at(-1)).toBe('{"ping":true}');
  expect(ring()).toBe(ASK_ANSWER_MS);

  expect(await asked).toBeNull();
  expect(socket.readyState).toBe(3);
  ring();
  await settled();
  expect(sockets).toHaveLength(2);
});

test("a server that lives and is slow is waited for, but not for ever", async () => {
  const { connection, socket, timers, ring } = await opened();

  const asked = connection.request(reading);
  for (let i = 0; i < 5; i++) {
    expect(ring()).toBe(ASK_SILENCE_MS);
    socket.hears({ pong: true });
  }
  timers.find(({ ms, isOver }) => ms === ASK_MS && !isOver)!.act();

  expect(await asked).toBeNull();
  expect(socket.readyState).toBe(1);
  socket.hears(answerTo(1));
  expect(ring()).toBe(SILENCE_MS);
});

test("a second question does not lengthen the wait for the first word", async () => {
  const { connection, timers } = await opened();

  void connection.request(reading);
  const waiting = timers.filter(({ ms, isOver }) => ms === ASK_SILENCE_MS && !isOver);
  void connection.request(reading);

  expect(waiting).toHaveLength(1);
  expect(timers.filter(({ ms, isOver }) => ms === ASK_SILENCE_MS && !isOver)).toEqual(waiting);
});

test("once everything is answered the connection is silent for as long as before", async () => {
  const { connection, socket, ring } = await opened();

  const asked = connection.request(reading);
  socket.hears(answerTo(1));
  await asked;

  expect(ring()).toBe(SILENCE_MS);
});

test("what is asked when the connection is stopped fails as without a connection", async () => {
  const { connection } = await opened();

  const asked = connection.request(reading);
  connection.stop();

  await expect(asked).rejects.toMatchObject({ name: "OfflineError" });
});

test("nothing is asked over a connection that is not open, or that has enough to answer", async () => {
  const { connection, sockets, settled } = world();
  expect(await connection.request(reading)).toBeNull();
  connection.start();
  await settled();
  expect(await connection.request(reading)).toBeNull();
  sockets[0]!.opens();
  await settled();

  for (let i = 0; i < 8; i++) void connection.request(reading);

  expect(await connection.request(reading)).toBeNull();
  expect(sockets[0]!.sent).toHaveLength(8);
});

/** The two ways of a call: a live connection that is open, and one for all else, which answers "by post". */
async function bothWays() {
  const beside = await opened();
  const posted: [Call, unknown][] = [];
  const lock = { isLocked: false };
  const ask = callOverSocket(beside.connection, {
    api: (async (call: Call, input: unknown) => {
      posted.push([call, input]);
      return "by post";
    }) as unknown as typeof api,
    isLocked: () => lock.isLocked,
    language: () => "ja",
  });
  return { ...beside, ask, posted, lock };
}

const greeting = { receiverId: "taro", description: "こんばんは", clientId: "c1" };
const stored = { id: "1", description: "こんばんは", clientId: "c1" };

test("a message goes over the live connection, and those who listen hear of it as on all other devices", async () => {
  const { ask, socket, heard, posted } = await bothWays();

  const sending = ask(sendDm, greeting);
  expect(JSON.parse(socket.sent[0]!)).toEqual({
    ask: { no: 1, call: "sendDm", lang: "ja", input: greeting },
  });
  socket.hears(answerTo(1, 200, { dm: stored }));

  expect(await sending).toEqual({ dm: stored });
  expect(heard).toEqual([{ kind: "dm", dm: stored }]);
  expect(posted).toEqual([]);
});

test("what answers nothing answers nothing over the live connection too", async () => {
  const { ask, socket, heard } = await bothWays();

  const telling = ask(readDm, { friendId: "taro" });
  socket.hears(answerTo(1));

  expect(await telling).toBeUndefined();
  expect(heard).toEqual([]);
});

test("a refusal that comes over the live connection is one", async () => {
  const { ask, socket, posted } = await bothWays();

  const sending = ask(sendDm, greeting);
  const validation_errors = { description: ["長すぎます"] };
  socket.hears(answerTo(1, 422, { code: "invalid_input", error_message: "長すぎます", validation_errors }));

  await expect(sending).rejects.toMatchObject({
    name: "ApiError",
    status: 422,
    code: "invalid_input",
    message: "長すぎます",
    errors: validation_errors,
  });
  expect(posted).toEqual([]);
});

test.each([401, 500, 503])("what is answered with %i over the live connection is posted", async (status) => {
  const { ask, socket, posted } = await bothWays();

  const sending = ask(sendDm, greeting);
  socket.hears(answerTo(1, status, { code: "whatever", error_message: "…" }));

  expect(await sending).toBe("by post");
  expect(posted).toEqual([[sendDm, greeting]]);
});

test("what finds no answer over the live connection is posted, and so is all else while there is none", async () => {
  const { ask, socket, posted } = await bothWays();

  const sending = ask(sendDm, greeting);
  socket.close();
  expect(await sending).toBe("by post");
  expect(await ask(readDm, { friendId: "taro" })).toBe("by post");

  expect(posted).toEqual([
    [sendDm, greeting],
    [readDm, { friendId: "taro" }],
  ]);
});

test("calls that may not go over the live connection, and files, go the other way", async () => {
  const { ask, socket, posted } = await bothWays();

  await ask(getDms, { friendId: "taro" });
  await ask(sendDm, { receiverId: "taro", file: new File(["x"], "a.png") });

  expect(posted.map(([call]) => call)).toEqual([getDms, sendDm]);
  expect(socket.sent).toEqual([]);
});

test("while the app is locked nothing goes out, and it counts as without a connection", async () => {
  const { ask, socket, posted, lock } = await bothWays();
  lock.isLocked = true;

  await expect(ask(sendDm, greeting)).rejects.toMatchObject({ name: "OfflineError" });

  expect(posted).toEqual([]);
  expect(socket.sent).toEqual([]);
});
