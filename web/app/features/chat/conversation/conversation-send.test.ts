import { expect, test } from "vitest";
import { OfflineError } from "../../../lib/api/errors.ts";
import { apiError, FakeChat, me, newGate } from "./fake-chat.ts";

test("shows a sent message at once and keeps its key when it is stored", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { gate, open } = newGate();
  chat.gate = gate;

  const sending = chat.conversation.send("hello", null);
  expect(chat.shown).toEqual(["hello sending"]);
  const [{ key } = { key: "" }] = chat.conversation.getState().items;
  open();
  await sending;

  expect(chat.shown).toEqual(["hello sent"]);
  expect(chat.conversation.getState().items[0]!.key).toBe(key);
  expect(chat.announced).toEqual([chat.dms[0]!.id]);
});

test("shows a message once when its event arrives before the response", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { gate, open } = newGate();
  chat.gate = gate;
  const sending = chat.conversation.send("hello", null);

  chat.conversation.handleMessage(chat.store("hello", me, "client-1"));
  expect(chat.shown).toEqual(["hello sent"]);
  open();
  await sending;

  expect(chat.shown).toEqual(["hello sent"]);
});

test("sends messages in the order of writing", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();

  await Promise.all(["a", "b", "c"].map((text) => chat.conversation.send(text, null)));

  expect(chat.dms.map(({ description }) => description)).toEqual(["a", "b", "c"]);
});

test("keeps messages waiting while offline and sends them in order afterwards", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(new OfflineError());
  await Promise.all([chat.conversation.send("a", null), chat.conversation.send("b", null)]);
  expect(chat.shown).toEqual(["a waiting", "b waiting"]);
  expect(chat.failures).toEqual([]);
  expect(chat.reconnects).toBe(1);

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["a sent", "b sent"]);
});

test("sends the same clientId again when the response was lost", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(new OfflineError());
  await chat.conversation.send("hello", null);
  chat.store("hello", me, "client-1"); // it had been stored all the same

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["hello sent"]);
  expect(chat.dms).toHaveLength(1);
});

test("keeps a rejected message until it is sent again or discarded", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(apiError("unexpected"), apiError("unexpected"));
  await chat.conversation.send("one", null);
  await chat.conversation.send("two", null);
  expect(chat.shown).toEqual(["one failed", "two failed"]);
  expect(chat.failures).toHaveLength(2);

  await chat.conversation.retry("client-1");
  chat.conversation.discard("client-2");

  expect(chat.shown).toEqual(["one sent"]);
});

test("shows a picture's preview until the server has stored it", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { gate, open } = newGate();
  chat.gate = gate;
  const sending = chat.conversation.send(null, new File(["x"], "cat.png"));
  expect(chat.conversation.getState().items[0]!.imageUrl).toBe("blob:cat.png");

  open();
  await sending;

  expect(chat.revoked).toEqual(["cat.png"]);
});

test("keeps a message that hits the rate limit and sends it on retry", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(apiError("too_many_requests"));

  await chat.conversation.send("one too many", null);
  expect(chat.shown).toEqual(["one too many failed"]);
  expect(chat.failures).toHaveLength(1);

  await chat.conversation.retry("client-1");
  expect(chat.shown).toEqual(["one too many sent"]);
});

test("sends the texts of before a reload under their ids, and keeps neither images nor quoted texts", async () => {
  const before = new FakeChat();
  await before.conversation.catchUp();
  before.errors.push(new OfflineError());
  await before.conversation.send("waiting", null, {
    id: "0000-quoted",
    sender_id: "taro",
    description: "a secret",
    has_image: false,
  });
  before.errors.push(new OfflineError());
  await before.conversation.send(null, new File(["x"], "cat.png"));
  expect(JSON.stringify(before.stored)).not.toContain("a secret");

  const after = new FakeChat(before.stored);
  await after.conversation.catchUp();

  expect(after.shown).toEqual(["waiting sent"]);
  expect(after.dms[0]!.clientId).toBe(before.stored[0]!.clientId);
  expect(after.stored).toEqual([]);
});

test("cancels an image that is being sent, and sends the next message", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { gate, open } = newGate();
  chat.gate = gate;
  const sending = chat.conversation.send(null, new File(["x"], "cat.png"));
  void chat.conversation.send("never mind", null);

  chat.conversation.cancel(chat.conversation.getState().items[0]!.key);
  chat.errors.push(new OfflineError()); // of the aborted request
  open();
  await sending;

  expect(chat.revoked).toEqual(["cat.png"]);
  expect(chat.shown).toEqual(["never mind sent"]);
  expect(chat.reconnects).toBe(0);
});

const cat = () => new File(["x"], "cat.png");

test.each([
  ["no image", "not_an_image", 415],
  ["too large", "too_large", 413],
  ["unreadable", "image_unreadable", 400],
  ["too many pixels", "validation_failed", 422],
])("gives back the text beside a picture that is %s, and keeps no message", async (_, code, status) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(apiError(code, status));

  await chat.conversation.send("ten lines", cat());

  expect([chat.shown, chat.returned, chat.stored]).toEqual([[], ["ten lines"], []]);
  expect(chat.failures).toHaveLength(1);
  expect(chat.revoked).toEqual(["cat.png"]);
});

test.each([
  ["the rate limit", apiError("too_many_requests", 429)],
  ["a failure of the server", apiError("unexpected", 500)],
])("keeps a picture and its text after %s", async (_, error) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(error);

  await chat.conversation.send("ten lines", cat());

  expect([chat.shown, chat.returned]).toEqual([["ten lines failed"], []]);
});

test("gives back the text of a picture that a reload lost", async () => {
  const before = new FakeChat();
  await before.conversation.catchUp();
  before.errors.push(new OfflineError());
  await before.conversation.send("look at this", cat());

  const after = new FakeChat(before.stored);
  await after.conversation.catchUp();

  expect([after.shown, after.returned, after.stored]).toEqual([[], ["look at this"], []]);
});
