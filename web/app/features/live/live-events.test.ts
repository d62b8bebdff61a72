import { expect, test } from "vitest";
import { closeCodes } from "@alcove/contract/messaging";
import { LiveConnection, type LiveEvent } from "./live-events.ts";

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

function world() {
  const sockets: FakeSocket[] = [];
  const timers: { act: () => void; ms: number; isOver: boolean }[] = [];
  let isOffline = false;
  const connection = new LiveConnection({
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
  const heard: LiveEvent[] = [];
  connection.on((event) => heard.push(event));
  return {
    connection,
    sockets,
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
