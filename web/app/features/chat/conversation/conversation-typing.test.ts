import { expect, test } from "vitest";
import { OfflineError } from "../../../lib/api/errors.ts";
import { FakeChat, me } from "./fake-chat.ts";
import { TYPING_EVERY_MS, TYPING_SHOWN_MS } from "./typing.ts";

async function openChat(): Promise<FakeChat> {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  return chat;
}

const isShown = ({ conversation }: FakeChat) => conversation.getState().isFriendTyping;

test("shows for a few seconds that the friend is typing, again with each sign", async () => {
  const chat = await openChat();
  expect(isShown(chat)).toBe(false);

  chat.conversation.handleTyping();
  chat.advance(TYPING_EVERY_MS);
  expect(isShown(chat)).toBe(true);
  chat.conversation.handleTyping();
  chat.advance(TYPING_EVERY_MS);
  expect(isShown(chat)).toBe(true);

  chat.advance(TYPING_SHOWN_MS - TYPING_EVERY_MS);
  expect(isShown(chat)).toBe(false);
});

test("ends with the friend's message and with the conversation, but not with an own message", async () => {
  const chat = await openChat();
  chat.conversation.handleTyping();
  chat.conversation.handleMessage(chat.store("mine", me));
  expect(isShown(chat)).toBe(true);
  chat.conversation.handleMessage(chat.store("theirs"));
  expect(isShown(chat)).toBe(false);

  chat.conversation.handleTyping();
  chat.conversation.close();
  expect(isShown(chat)).toBe(false);
  chat.conversation.handleTyping();
  expect(isShown(chat)).toBe(false);
  expect(chat.timers.size).toBe(0);
});

test("notifies the friend every few seconds, and at once after a message", async () => {
  const chat = await openChat();
  const type = () => chat.conversation.notifyTyping();

  type();
  type();
  chat.advance(TYPING_EVERY_MS);
  type();
  await expect.poll(() => chat.typed).toBe(2);

  await chat.conversation.send("hello", null);
  type();
  await expect.poll(() => chat.typed).toBe(3);
});

test("shows no error when the sign is lost", async () => {
  const chat = await openChat();
  chat.errors.push(new OfflineError());

  chat.conversation.notifyTyping();

  await expect.poll(() => chat.errors).toEqual([]);
  expect(chat.failures).toEqual([]);
});
