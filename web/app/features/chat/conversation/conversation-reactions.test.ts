import { expect, test } from "vitest";
import { OfflineError } from "../../../lib/api/errors.ts";
import { FakeChat, me, newGate } from "./fake-chat.ts";

const shownIn = (chat: FakeChat) =>
  chat.conversation.getState().items.map(({ friendReaction, ownReaction }) => [friendReaction, ownReaction]);

async function openChat() {
  const chat = new FakeChat();
  const dm = chat.store("Good evening.");
  await chat.conversation.catchUp();
  return { chat, dm };
}

test("shows the member's reaction at once, and the former one after an error", async () => {
  const { chat, dm } = await openChat();
  await chat.conversation.react(dm.id, "heart");
  const { gate, open } = newGate();
  chat.gate = gate;
  chat.errors.push(new OfflineError());

  const reacting = chat.conversation.react(dm.id, "laugh");
  expect(shownIn(chat)).toEqual([[null, "laugh"]]);
  open();
  await reacting;

  expect(shownIn(chat)).toEqual([[null, "heart"]]);
  expect(chat.failures).toHaveLength(1);
});

test("sends only the last of several quick choices after the first", async () => {
  const { chat, dm } = await openChat();
  const { gate, open } = newGate();
  chat.gate = gate;

  const first = chat.conversation.react(dm.id, "heart");
  await chat.conversation.react(dm.id, "sad");
  await chat.conversation.react(dm.id, null);
  chat.conversation.handleReaction(dm.id, me.user_id, "heart");
  expect(shownIn(chat)).toEqual([[null, null]]);
  open();
  await first;

  expect(chat.reacted).toEqual(["heart", null]);
  expect(shownIn(chat)).toEqual([[null, null]]);
});

test("keeps a reaction that came by an event when an earlier page arrives later", async () => {
  const { chat, dm } = await openChat();
  chat.react(dm.id, [{ reaction: "wow", mine: false }]);
  const { gate, open } = newGate();
  chat.gate = gate;
  const late = chat.conversation.catchUp();

  chat.conversation.handleReaction(dm.id, "taro", "thanks");
  open();
  await late;
  expect(shownIn(chat)).toEqual([["thanks", null]]);

  // The page was not current, so the next one lists the message again.
  await chat.conversation.catchUp();
  expect(shownIn(chat)).toEqual([["wow", null]]);
});

test("learns by the next page what changed while it was offline, and drops reactions of an unsent message", async () => {
  const { chat, dm } = await openChat();
  const second = chat.store("And you?", me);
  chat.react(dm.id, [{ reaction: "yes", mine: true }]);
  chat.react(second.id, [{ reaction: "heart", mine: false }]);
  await chat.conversation.catchUp();
  expect(shownIn(chat)).toEqual([
    [null, "yes"],
    ["heart", null],
  ]);

  chat.unsend(second.id);
  await chat.conversation.catchUp();
  expect(shownIn(chat)).toEqual([[null, "yes"]]);
});

test("keeps the object of a message whose reactions do not change", async () => {
  const { chat, dm } = await openChat();
  chat.store("And you?");
  await chat.conversation.catchUp();
  const [first, second] = chat.conversation.getState().items;

  chat.conversation.handleReaction(dm.id, "taro", "sad");

  const [changed, same] = chat.conversation.getState().items;
  expect(changed).not.toBe(first);
  expect(same).toBe(second);
});
