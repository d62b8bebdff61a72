import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { requestJson } from "./json-request.ts";

test("returns null when a server accepts the connection and does not respond", async () => {
  const server = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  expect(await requestJson(new URL(`http://127.0.0.1:${port}`), {}, 100)).toBeNull();
});
