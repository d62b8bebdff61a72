import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Live } from "./live.ts";
import { openLog } from "./log.ts";
import { Sockets } from "./sockets.ts";

const log = openLog("silent");
const nobody = {
  send: async () => undefined,
  open: async () => undefined,
  isUp: () => true,
  close: async () => undefined,
};

test("the heartbeat finds sockets whose other end is gone without a word, and leaves the living alone", async () => {
  const sockets = new Sockets(new Live(nobody, log), 100);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (ws) => sockets.add({ ws, no: 7, session: "s", otherNo: null }));
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

  const [living, gone] = [await open(true), await open(false)];
  const beats = vi.fn();
  living.on("ping", beats);
  const [code] = (await once(gone, "close")) as [number];

  expect(code).toBe(1006);
  await vi.waitFor(() => expect(beats.mock.calls.length).toBeGreaterThan(4));
  expect(sockets.count).toBe(1);
  expect(living.readyState).toBe(WebSocket.OPEN);
});
