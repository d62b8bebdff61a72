import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getDms, readDm, sendDm } from "@alcove/contract/messaging";
import type { api } from "../lib/api/api.ts";
import { callOverSocket } from "./call-over-socket.ts";
import { openConnection, responseTo } from "./fake-connection.ts";

async function socketAndPost() {
  const fake = await openConnection();
  const posted: [Call, unknown][] = [];
  const lock = { isLocked: false };
  const page = new EventTarget();
  const call = callOverSocket(fake.connection, {
    api: (async (call: Call, input: unknown) => {
      posted.push([call, input]);
      return "by POST";
    }) as unknown as typeof api,
    isLocked: () => lock.isLocked,
    language: () => "ja",
    onLeave(listener) {
      page.addEventListener("pagehide", listener);
      return () => page.removeEventListener("pagehide", listener);
    },
  });
  return { ...fake, call, posted, lock, leave: () => page.dispatchEvent(new Event("pagehide")) };
}

const greeting = { receiverId: "taro", description: "こんばんは", clientId: "c1" };
const stored = { id: "1", description: "こんばんは", clientId: "c1" };

test("sends a message over the socket and publishes it to its own listeners", async () => {
  const { call, socket, events, posted } = await socketAndPost();

  const sending = call(sendDm, greeting);
  expect(JSON.parse(socket.sent[0]!)).toEqual({
    ask: { no: 1, call: "sendDm", lang: "ja", input: greeting },
  });
  socket.receive(responseTo(1, 200, { dm: stored }));

  expect(await sending).toEqual({ dm: stored });
  expect(events).toEqual([{ kind: "dm", dm: stored }]);
  expect(posted).toEqual([]);
});

test("returns undefined when a call has no response body", async () => {
  const { call, socket, events } = await socketAndPost();

  const reading = call(readDm, { friendId: "taro" });
  socket.receive(responseTo(1));

  expect(await reading).toBeUndefined();
  expect(events).toEqual([]);
});

test("posts a pending read mark when the member leaves the page, and nothing else", async () => {
  const { call, socket, posted, leave } = await socketAndPost();
  const earlier = call(readDm, { friendId: "jun" });
  socket.receive(responseTo(1));
  await earlier;
  void call(sendDm, greeting);
  void call(readDm, { friendId: "taro", dmId: "1" });

  leave();

  expect(posted).toEqual([[readDm, { friendId: "taro", dmId: "1" }]]);
});

test("throws ApiError when the socket returns an error", async () => {
  const { call, socket, posted } = await socketAndPost();

  const sending = call(sendDm, greeting);
  const validation_errors = { description: ["長すぎます"] };
  socket.receive(
    responseTo(1, 422, { code: "invalid_input", error_message: "長すぎます", validation_errors }),
  );

  await expect(sending).rejects.toMatchObject({
    name: "ApiError",
    status: 422,
    code: "invalid_input",
    message: "長すぎます",
    errors: validation_errors,
  });
  expect(posted).toEqual([]);
});

test.each([401, 500, 503])("posts the call when the socket returns %i", async (status) => {
  const { call, socket, posted } = await socketAndPost();

  const sending = call(sendDm, greeting);
  socket.receive(responseTo(1, status, { code: "whatever", error_message: "…" }));

  expect(await sending).toBe("by POST");
  expect(posted).toEqual([[sendDm, greeting]]);
});

test("posts the call when the socket closes, and later calls too", async () => {
  const { call, socket, posted } = await socketAndPost();

  const sending = call(sendDm, greeting);
  socket.close();
  expect(await sending).toBe("by POST");
  expect(await call(readDm, { friendId: "taro" })).toBe("by POST");

  expect(posted).toEqual([
    [sendDm, greeting],
    [readDm, { friendId: "taro" }],
  ]);
});

test("posts files and calls that the contract does not allow over the socket", async () => {
  const { call, socket, posted } = await socketAndPost();

  await call(getDms, { friendId: "taro" });
  await call(sendDm, { receiverId: "taro", file: new File(["x"], "a.png") });

  expect(posted.map(([call]) => call)).toEqual([getDms, sendDm]);
  expect(socket.sent).toEqual([]);
});

test("throws OfflineError and sends nothing while the app is locked", async () => {
  const { call, socket, posted, lock } = await socketAndPost();
  lock.isLocked = true;

  await expect(call(sendDm, greeting)).rejects.toMatchObject({ name: "OfflineError" });

  expect(posted).toEqual([]);
  expect(socket.sent).toEqual([]);
});
