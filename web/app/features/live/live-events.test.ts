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

function world() {
  const sockets: FakeSocket[] = [];
  const pauses: number[] = [];
  let due: (() => void) | null = null;
  let isOffline = false;
  const connection = new LiveConnection({
    openSocket: async () => {
      if (isOffline) throw new Error("offline");
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    setTimer: (act, ms) => {
      pauses.push(ms);
      due = act;
      return () => (due = null);
    },
    random: () => 1,
  });
  const heard: LiveEvent[] = [];
  connection.on((event) => heard.push(event));
  return {
    connection,
    sockets,
    pauses,
    heard,
    setOffline: (to: boolean) => (isOffline = to),
    ring: () => due?.(),
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
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);

  setOffline(false);
  ring();
  await settled();
  sockets[0]!.opens();
  await settled();
  sockets[0]!.close();
  expect(pauses.at(-1)).toBe(500);
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
  expect(pauses).toEqual([]);

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
  expect(pauses).toEqual([]);
});
