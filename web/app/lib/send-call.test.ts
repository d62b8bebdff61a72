import { afterEach, expect, test, vi } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getLastDms, readDm } from "@alcove/contract/messaging";
import { sendCall } from "./send-call.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each<[Call, object, boolean]>([
  [readDm, { friendId: "taro" }, true],
  [getLastDms, {}, false],
])("completes only a read mark after the page is left: $name", async (call, input, isKeptAlive) => {
  const requests: RequestInit[] = [];
  vi.stubGlobal("location", { pathname: "/en/dm/taro" });
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    requests.push(init);
    return new Response(null, { status: 204 });
  });

  await sendCall(call, input as never, "token");

  expect(requests.map(({ keepalive }) => keepalive)).toEqual([isKeptAlive]);
});
