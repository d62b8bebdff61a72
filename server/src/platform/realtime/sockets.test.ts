import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { EventBus } from "./event-bus.ts";
import { openLog } from "../log.ts";
import { Sockets } from "./sockets.ts";

const log = openLog("silent");
const noTransport = {
  send: async () => undefined,
  open: async () => undefined,
  isUp: () => true,
  close: async () => undefined,
};

/** Each opened socket belongs to another member. */
async function createSockets(heartbeatMs: number) {
  const sockets = new Sockets(new EventBus(noTransport, log), heartbeatMs);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  let memberId = 0;
  server.on("connection", (ws) =>
    sockets.add({ ws, memberId: memberId++, session: "s", otherMemberId: null }),
  );
  await once(server, "listening");
  onTestFinished(async () => {
    await sockets.close(0);
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (autoPong: boolean) => {
    const ws = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
    await once(ws, "open");
    return ws;
  };
  return { sockets, open };
}

test("pings a few sockets at a time, and each once per heartbeat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const ping = vi.spyOn(WebSocket.prototype, "ping");
  onTestFinished(() => ping.mockRestore());
  const { sockets, open } = await createSockets(1_000);
  for (let i = 0; i < 8; i++) await open(true);
  expect(sockets.count).toBe(8);

  for (let part = 1; part <= 100; part++) {
    vi.advanceTimersByTime(10);
    expect(ping.mock.calls.length).toBe(Math.min(part, 8));
  }
  expect(new Set(ping.mock.contexts).size).toBe(8);
});

test("terminates only sockets that do not respond to the heartbeat", async () => {
  const { sockets, open } = await createSockets(200);

  const [alive, dead] = [await open(true), await open(false)];
  const [code] = (await once(dead, "close")) as [number];

  expect(code).toBe(1006);
  for (let beat = 0; beat < 3; beat++) await once(alive, "ping");
  expect(sockets.count).toBe(1);
  expect(alive.readyState).toBe(WebSocket.OPEN);
});

test("closes the socket of a slow reader and drops its backlog", async () => {
  const { sockets, open } = await createSockets(60_000);
  const [slow, quick] = [await open(true), await open(true)];
  const closing = once(slow, "close");
  slow.pause();
  let received = 0;
  slow.on("message", () => received++);

  const text = "x".repeat(1_000_000);
  for (let i = 0; i < 100; i++) sockets.send(0, () => text);
  slow.resume();

  const [code] = (await closing) as [number];
  expect(code).toBe(1013);
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(100);
  expect(quick.readyState).toBe(WebSocket.OPEN);
});
