import { expect, test } from "vitest";
import { routes } from "@alcove/contract/routes";
import type { api } from "../../lib/api.ts";
import { createTransport } from "./transport.ts";

test("sends only the given fields and announces the stored message", async () => {
  const calls: unknown[] = [];
  const announced: string[] = [];
  const call = (async (...args: unknown[]) => {
    calls.push(args);
    return { dm: { id: "1" } };
  }) as unknown as typeof api;
  const file = new File(["x"], "cat.png");

  const transport = createTransport(call, (id) => announced.push(id));
  const dm = await transport.send("taro", { clientId: "c1", text: "hello", file: null });
  await transport.send("taro", { clientId: "c2", text: null, file });

  expect(dm).toEqual({ id: "1" });
  expect(calls).toEqual([
    [routes.sendDm, { receiverId: "taro", clientId: "c1", description: "hello" }],
    [routes.sendDm, { receiverId: "taro", clientId: "c2", file }],
  ]);
  expect(announced).toEqual(["1", "1"]);
});
