import { expect, test } from "vitest";
import { OfflineError } from "../../../lib/api/errors.ts";
import { FakeChat, me, newGate } from "./fake-chat.ts";

test("sends a receipt once, and only while the member looks at the conversation", async () => {
  const chat = new FakeChat();
  chat.store("mine", me);
  const first = chat.store("first");
  await chat.conversation.catchUp();
  expect(chat.read).toEqual([]);

  chat.conversation.setLookedAt(true);
  chat.conversation.setLookedAt(false);
  const second = chat.store("second");
  chat.conversation.handleMessage(second);
  await expect.poll(() => chat.read).toEqual([first.id]);

  chat.conversation.setLookedAt(true);
  chat.conversation.handleMessage(chat.store("mine again", me));
  chat.conversation.setLookedAt(true);
  await expect.poll(() => chat.read).toEqual([first.id, second.id]);
});

test("sends no receipt for a message that another device has read", async () => {
  const chat = new FakeChat();
  const { id } = chat.store("hello");
  chat.conversation.handleRead("hanako", id);

  await chat.conversation.catchUp();
  chat.conversation.setLookedAt(true);

  expect(chat.read).toEqual([]);
  expect(chat.conversation.getState().friendReadId).toBeNull();
});

test("sends a lost receipt again after a reconnect", async () => {
  const chat = new FakeChat();
  const { id } = chat.store("hello");
  await chat.conversation.catchUp();
  chat.errors.push(new OfflineError());
  chat.conversation.setLookedAt(true);
  await expect.poll(() => chat.errors).toEqual([]);

  await chat.conversation.catchUp();

  await expect.poll(() => chat.read).toEqual([id]);
  expect(chat.failures).toEqual([]);
});

test("moves the friend's receipt forward by pages and events, and never back", async () => {
  const chat = new FakeChat();
  const ids = ["a", "b", "c"].map((text) => chat.store(text, me).id);
  const read = () => chat.conversation.getState().friendReadId;
  chat.friendReadId = ids[0]!;
  await chat.conversation.catchUp();
  expect(read()).toBe(ids[0]);

  chat.conversation.handleRead("taro", ids[1]!);
  chat.conversation.handleRead("taro", ids[0]!);
  expect(read()).toBe(ids[1]);

  chat.friendReadId = ids[2]!;
  await chat.conversation.catchUp();
  expect(read()).toBe(ids[2]);
});

test("hides the friend's receipt at once when it is refreshed, and ignores a late page's receipt", async () => {
  const chat = new FakeChat();
  const { id } = chat.store("mine", me, "client-0");
  chat.friendReadId = id;
  await chat.conversation.catchUp();
  const read = () => chat.conversation.getState().friendReadId;
  expect(read()).toBe(id);

  const { promise, resolve } = Promise.withResolvers<unknown>();
  chat.lateResponses.push(promise);
  const before = chat.conversation.catchUp();
  chat.friendReadId = null;
  const { gate, open } = newGate();
  chat.gate = gate;
  const refreshing = chat.conversation.refreshFriendRead();
  expect(read()).toBeNull();
  resolve({ dms: [], has_more: false, read_id: id, unsent: [], unsent_no: 0, taken_back: [] });
  await before;
  expect(read()).toBeNull();
  open();
  await refreshing;
  expect(read()).toBeNull();

  chat.friendReadId = id;
  await chat.conversation.refreshFriendRead();
  expect(read()).toBe(id);
});
