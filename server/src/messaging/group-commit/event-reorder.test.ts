import { expect, test } from "vitest";
import { eventually } from "../../testing/test-service.ts";
import type { MessageSent } from "../events.ts";
import { nextMessageId } from "../message-id.ts";
import { EventReorder } from "./event-reorder.ts";

const NOON = new Date("2026-05-06T12:00:00Z");

function events(count: number, everyMs = 1): MessageSent[] {
  const created: MessageSent[] = [];
  for (let i = 0; i < count; i++) {
    const previousId = created.at(-1)?.id ?? null;
    created.push({
      low: 1,
      high: 2,
      id: nextMessageId(new Date(NOON.getTime() + i * everyMs), previousId),
      previousId,
    });
  }
  return created;
}

test("delivers events in message order when they arrive in any order", () => {
  const [first, second, third, fourth] = events(4) as [MessageSent, MessageSent, MessageSent, MessageSent];
  const delivered: MessageSent[] = [];
  const reorder = new EventReorder((event) => delivered.push(event));

  for (const event of [second, fourth, first, third]) reorder.add(event);

  expect(delivered).toEqual([first, second, third, fourth]);
});

test("delivers the missing message after a short wait when the process of its event died", async () => {
  const [first, second, third, fourth] = events(4) as [MessageSent, MessageSent, MessageSent, MessageSent];
  const delivered: string[] = [];
  const reorder = new EventReorder(({ id }) => delivered.push(id));

  for (const event of [first, fourth, third]) reorder.add(event);

  expect(delivered).toEqual([first.id]);
  await eventually(() => expect(delivered).toEqual([first.id, second.id, third.id, fourth.id]));
});

test("delivers a message once when its event is repeated or arrives late", async () => {
  const [first, second, third, fourth] = events(4) as [MessageSent, MessageSent, MessageSent, MessageSent];
  const delivered: string[] = [];
  const reorder = new EventReorder(({ id }) => delivered.push(id));

  for (const event of [first, first, third]) reorder.add(event);
  await eventually(() => expect(delivered).toEqual([first.id, second.id, third.id]));
  for (const event of [second, third, { ...first, previousId: null }, fourth]) reorder.add(event);

  expect(delivered).toEqual([first.id, second.id, third.id, fourth.id]);
});

test("does not wait when the previous message is much older", () => {
  const [, second] = events(2, 60_000) as [MessageSent, MessageSent];
  const delivered: MessageSent[] = [];

  new EventReorder((event) => delivered.push(event)).add(second);

  expect(delivered).toEqual([second]);
});

test("does not let conversations wait for each other", () => {
  const [, second] = events(2) as [MessageSent, MessageSent];
  const elsewhere: MessageSent = { low: 1, high: 3, id: nextMessageId(NOON, null), previousId: null };
  const delivered: MessageSent[] = [];
  const reorder = new EventReorder((event) => delivered.push(event));

  reorder.add(second);
  reorder.add(elsewhere);

  expect(delivered).toEqual([elsewhere]);
});
