import { expect, test } from "vitest";
import { OfflineError } from "../../../lib/api/errors.ts";
import { apiError, FakeChat, friend, me, newGate } from "./fake-chat.ts";

test("loads the history page by page, oldest first, without duplicates", async () => {
  const chat = new FakeChat();
  for (let i = 0; i < 8; i++) chat.store(`m${i}`);

  await chat.conversation.catchUp();
  expect(chat.shown).toEqual(["m5 sent", "m6 sent", "m7 sent"]);
  expect(chat.conversation.getState().older).toBe("available");

  await Promise.all([chat.conversation.loadOlder(), chat.conversation.loadOlder()]);
  await chat.conversation.loadOlder();
  await chat.conversation.loadOlder();
  expect(chat.shown).toEqual(["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"].map((text) => `${text} sent`));
  expect(chat.conversation.getState().older).toBe("none");
});

test("places messages by id, before those that are not stored yet", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const first = chat.store("first");
  const second = chat.store("second");
  const { gate, open } = newGate();
  chat.gate = gate;
  const sending = chat.conversation.send("mine", null);

  chat.conversation.handleMessage(second);
  chat.conversation.handleMessage(first);

  expect(chat.shown).toEqual(["first sent", "second sent", "mine sending"]);
  open();
  await sending;
});

test("ignores a message of another conversation", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const jiro = { ...friend, user_id: "jiro" };

  chat.conversation.handleMessage({ ...chat.store("not here"), sender: jiro, receiver: me });

  expect(chat.shown).toEqual([]);
});

test("fetches all missed messages once after a reconnect", async () => {
  const chat = new FakeChat();
  chat.store("before");
  await chat.conversation.catchUp();
  for (let i = 0; i < 10; i++) chat.store(`missed${i}`);

  chat.conversation.handleMessage(chat.dms.at(-1)!);
  await chat.conversation.catchUp();

  expect(chat.shown).toHaveLength(11);
  expect(new Set(chat.shown).size).toBe(11);
});

test("is lost when loading or sending shows that the conversation is gone", async () => {
  const atStart = new FakeChat();
  atStart.errors.push(apiError("conversation_not_found"));
  await atStart.conversation.catchUp();
  expect(atStart.conversation.getState().status).toBe("lost");
  expect(atStart.failures).toEqual([]);

  const whileSending = new FakeChat();
  await whileSending.conversation.catchUp();
  whileSending.errors.push(apiError("conversation_not_found"));
  await whileSending.conversation.send("too late", null);
  expect(whileSending.conversation.getState().status).toBe("lost");
  expect(whileSending.shown).toEqual(["too late failed"]);
});

test("fails when the first page fails, and loads when it is tried again", async () => {
  const chat = new FakeChat();
  chat.store("hello");
  chat.errors.push(new OfflineError());
  await chat.conversation.catchUp();
  expect(chat.conversation.getState().status).toBe("failed");
  expect(chat.failures).toHaveLength(1);

  await chat.conversation.catchUp();

  expect(chat.conversation.getState().status).toBe("live");
  expect(chat.shown).toEqual(["hello sent"]);
});

test("fetches missed messages when an earlier request never gets a response", async () => {
  const chat = new FakeChat();
  chat.store("before");
  chat.gate = new Promise(() => undefined);
  void chat.conversation.catchUp();
  chat.gate = null;
  chat.store("missed");

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["before sent", "missed sent"]);
});

test("fetches missed messages after 100 events", async () => {
  const chat = new FakeChat();
  chat.store("first");
  await chat.conversation.catchUp();
  chat.store("never published");

  for (let i = 0; i < 100; i++) chat.conversation.handleMessage(chat.store(`m${i}`));

  await expect.poll(() => chat.shown).toContain("never published sent");
});

test("keeps an unchanged message's item", async () => {
  const chat = new FakeChat();
  chat.store("hello");
  await chat.conversation.catchUp();
  const [before] = chat.conversation.getState().items;

  chat.conversation.handleMessage({ ...chat.dms[0]! });
  chat.conversation.handleMessage(chat.store("more"));

  expect(chat.conversation.getState().items[0]).toBe(before);
});
