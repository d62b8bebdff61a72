import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import { OfflineError } from "../../../lib/api/errors.ts";
import { apiError, FakeChat, me, newGate } from "./fake-chat.ts";

test("removes an unsent message, and no late page or event brings it back", async () => {
  const chat = new FakeChat();
  const dm = chat.store("too much", me);
  const { gate, open } = newGate();
  await chat.conversation.catchUp();

  await chat.conversation.unsend(dm.id);
  expect(chat.shown).toEqual([]);
  expect(chat.unsent).toEqual([dm.id]);

  chat.gate = gate;
  const late = chat.conversation.catchUp();
  chat.dms.push(dm); // read before it was unsent
  open();
  await late;
  chat.conversation.handleMessage(dm);
  expect(chat.shown).toEqual([]);
});

test("keeps the message and throws when unsending fails", async () => {
  const chat = new FakeChat();
  const dm = chat.store("stays", me);
  await chat.conversation.catchUp();
  chat.errors.push(new OfflineError());

  await expect(chat.conversation.unsend(dm.id)).rejects.toBeInstanceOf(OfflineError);

  expect(chat.shown).toEqual(["stays sent"]);
});

test("removes the message when another device has unsent it before", async () => {
  const chat = new FakeChat();
  const dm = chat.store("gone", me);
  await chat.conversation.catchUp();
  chat.errors.push(apiError("message_not_found"));

  await chat.conversation.unsend(dm.id);

  expect(chat.shown).toEqual([]);
});

test("removes all messages that were unsent while it was offline", async () => {
  const chat = new FakeChat();
  for (let i = 0; i < 9; i++) chat.store(`m${i}`);
  await chat.conversation.catchUp();
  for (let i = 0; i < 2; i++) await chat.conversation.loadOlder();
  expect(chat.shown).toHaveLength(9);
  for (const { id } of chat.dms.slice(0, 8)) chat.unsend(id);

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["m8 sent"]);
});

test("loads older messages when all shown ones were unsent", async () => {
  const chat = new FakeChat();
  for (let i = 0; i < 5; i++) chat.store(`m${i}`);
  await chat.conversation.catchUp();
  for (const { id } of chat.dms.slice(2)) chat.unsend(id);
  await chat.conversation.catchUp();
  expect(chat.shown).toEqual([]);

  await chat.conversation.loadOlder();

  expect(chat.shown).toEqual(["m0 sent", "m1 sent"]);
});

test("removes a message from the outbox when another device has unsent it", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { gate, open } = newGate();
  chat.gate = gate;
  const sending = chat.conversation.send("too much", null);
  chat.dms.push({ ...chat.store("", me, "client-1"), description: null, unsent: true });
  chat.dms.shift();
  open();
  await sending;

  expect(chat.shown).toEqual([]);
});

test("drops the quotes of an unsent message, whichever of event and reply arrives first", async () => {
  const chat = new FakeChat();
  const [first, second] = [chat.store("a secret"), chat.store("another one")];
  const quoting = (dm: Dm, text: string) => {
    const reply = { id: dm.id, sender_id: "taro", description: dm.description, has_image: false };
    return Object.assign(chat.store(text, me), { reply });
  };
  const early = quoting(first, "reply to the first");
  await chat.conversation.catchUp();
  const quotes = () => chat.conversation.getState().items.map(({ reply }) => reply?.description);
  expect(quotes()).toEqual([undefined, undefined, "a secret"]);

  chat.unsend(first.id);
  chat.conversation.handleUnsent(first.id);
  chat.conversation.handleUnsent(second.id);
  chat.conversation.handleMessage(early);
  chat.conversation.handleMessage(quoting(second, "reply to the second"));

  expect(chat.shown).toEqual(["reply to the first sent", "reply to the second sent"]);
  expect(quotes()).toEqual([undefined, undefined]);
});

test("loads older pages until a quoted message is there, and stops where it must have been", async () => {
  const chat = new FakeChat();
  for (let i = 0; i < 9; i++) chat.store(`${i}`);
  await chat.conversation.catchUp();
  expect(chat.shown).toHaveLength(3);

  expect(await chat.conversation.loadUntil(chat.dms[4]!.id)).toBe(true);
  expect(chat.shown).toHaveLength(6);
  expect(await chat.conversation.loadUntil(`${chat.dms[4]!.id}-unsent`)).toBe(false);
  expect(chat.shown).toHaveLength(6);
});

test("keeps only ids and times of the friend's messages when the conversation is lost", async () => {
  const chat = new FakeChat();
  const dm = chat.store("harsh words");
  chat.store("mine", me);
  await chat.conversation.catchUp();

  chat.conversation.close();

  const { items, lostMessages } = chat.conversation.getState();
  expect(items).toEqual([]);
  expect(lostMessages).toEqual([{ id: dm.id, at: new Date(dm.created_at) }]);
});

test("shows a line for each message that the friend took back, until it can be reported no more", async () => {
  const chat = new FakeChat();
  const [first, second] = [chat.store("an insult"), chat.store("stays")];
  await chat.conversation.catchUp();
  const lines = () =>
    chat.conversation
      .getState()
      .items.map(({ id, text, isTakenBack }) => [id, isTakenBack ? "taken back" : text]);

  chat.unsend(first.id);
  chat.takenBack = [{ id: first.id, created_at: first.created_at, seconds_left: 86_400 }];
  chat.conversation.handleUnsent(first.id);
  await chat.conversation.catchUp();
  expect(lines()).toEqual([
    [first.id, "taken back"],
    [second.id, "stays"],
  ]);

  chat.takenBack = [];
  chat.advance(86_400_000);
  await chat.conversation.catchUp();
  expect(lines()).toEqual([[second.id, "stays"]]);
});

test("shows no line for a taken back message before the loaded pages, and one once they are loaded", async () => {
  const chat = new FakeChat();
  const all = Array.from({ length: 5 }, (_, i) => chat.store(`m${i}`));
  chat.unsend(all[0]!.id);
  chat.takenBack = [{ id: all[0]!.id, created_at: all[0]!.created_at, seconds_left: 60 }];
  await chat.conversation.catchUp();
  expect(chat.conversation.getState().items).toHaveLength(3);

  await chat.conversation.loadOlder();

  expect(chat.conversation.getState().items.map(({ isTakenBack }) => isTakenBack ?? false)).toEqual([
    true,
    ...all.slice(1).map(() => false),
  ]);
});
