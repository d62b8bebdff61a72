import { expect, test } from "vitest";
import { sendDm } from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { createTransport } from "./transport.ts";

test("sends only the given fields and announces the stored message", async () => {
  const calls: unknown[] = [];
  const announced: string[] = [];
  const call = (async (...args: unknown[]) => {
    calls.push(args);
    return { dm: { id: "1" } };
  }) as unknown as typeof api;
  const file = new File(["x"], "cat.png");
  const reply = { id: "m1", sender_id: "taro", description: "hi", has_image: false };
  const options = { signal: new AbortController().signal, onProgress: () => undefined };

  const transport = createTransport({ call, announce: (id) => announced.push(id), isLocked: () => false });
  const dm = await transport.send(
    "taro",
    { clientId: "c1", text: "hello", file: null, voice: null, reply: null },
    options,
  );
  await transport.send("taro", { clientId: "c2", text: null, file, voice: null, reply }, options);

  await transport.send(
    "taro",
    { clientId: "c3", text: "hi", file: null, voice: null, reply: { ...reply, is_note: true } },
    options,
  );

  expect(dm).toEqual({ id: "1" });
  expect(calls).toEqual([
    [
      sendDm,
      { receiverId: "taro", clientId: "c1", description: "hello" },
      { signal: expect.any(AbortSignal) as unknown },
    ],
    [
      sendDm,
      { receiverId: "taro", clientId: "c2", file, replyId: "m1" },
      { signal: options.signal, send: expect.any(Function) as unknown },
    ],
    [
      sendDm,
      { receiverId: "taro", clientId: "c3", description: "hi", postId: "m1" },
      { signal: expect.any(AbortSignal) as unknown },
    ],
  ]);
  expect(announced).toEqual(["1", "1", "1"]);
});

test("throws OfflineError and sends nothing while the app is locked", async () => {
  const calls: unknown[] = [];
  const call = (async (...args: unknown[]) => calls.push(args)) as unknown as typeof api;
  const transport = createTransport({ call, announce: () => undefined, isLocked: () => true });
  const options = { signal: new AbortController().signal, onProgress: () => undefined };

  const sending = transport.send(
    "taro",
    { clientId: "c1", text: "hello", file: null, voice: null, reply: null },
    options,
  );

  await expect(sending).rejects.toMatchObject({ name: "OfflineError" });
  expect(calls).toEqual([]);
});
