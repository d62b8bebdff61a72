import { afterEach, expect, test, vi } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getLastDms, readDm } from "@alcove/contract/messaging";
import { ApiError, OfflineError } from "./errors.ts";
import { sendCall } from "./send-call.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each<[Call, object, boolean]>([
  [readDm, { friendId: "taro" }, true],
  [getLastDms, {}, false],
])("completes only a read mark after the page is left: $name", async (call, input, isKeepalive) => {
  const requests: RequestInit[] = [];
  vi.stubGlobal("location", { pathname: "/en/dm/taro" });
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    requests.push(init);
    return new Response(null, { status: 204 });
  });

  await sendCall(call, input as never, "token");

  expect(requests.map(({ keepalive }) => keepalive)).toEqual([isKeepalive]);
});

test.each([
  ["a proxy without a server", "", OfflineError],
  ["a server without its database", '{"code":"service_unavailable"}', ApiError],
])("a 503 of %s", async (_, body, expected) => {
  vi.stubGlobal("location", { pathname: "/en/dm" });
  vi.stubGlobal("fetch", async () => new Response(body, { status: 503 }));

  await expect(sendCall(getLastDms, {}, "token")).rejects.toBeInstanceOf(expected);
});

test("an error has the id of its request in the server's log", async () => {
  vi.stubGlobal("location", { pathname: "/en/dm" });
  const headers = { "x-request-id": "0f8fad5b-d9cb-469f-a165-70867728950e" };
  vi.stubGlobal("fetch", async () => Response.json({ code: "fault" }, { status: 500, headers }));

  await expect(sendCall(getLastDms, {}, "token")).rejects.toMatchObject({
    requestId: headers["x-request-id"],
  });
});
