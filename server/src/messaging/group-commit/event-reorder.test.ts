import { expect, test } from "vitest";
import { eventually } from "../../testing/test-service.ts";
import { HintOrder, type DmHint } from "./event-reorder.ts";
import { nextMessageId } from "../message-id.ts";

const NOON = new Date("2026-05-06T12:00:00Z");

function events(count: number, everyMs = 1): DmHint[] {
  const made: DmHint[] = [];
  for (let i = 0; i < count; i++) {
    const after = made.at(-1)?.id ?? null;
    made.push({ low: 1, high: 2, id: nextMessageId(new Date(NOON.getTime() + i * everyMs), after), after });
  }
  return made;
}

test("hints of one conversation are passed on in the order of its messages, however they come", () => {
  const [first, second, third, fourth] = events(4) as [DmHint, DmHint, DmHint, DmHint];
  const passed: DmHint[] = [];
  const order = new HintOrder((event) => passed.push(event));

  for (const event of [second, fourth, first, third]) order.hear(event);

  expect(passed).toEqual([first, second, third, fourth]);
});

test("a hint whose process died before it could tell holds up the others no longer than a moment, and its message comes with them", async () => {
  const [first, second, third, fourth] = events(4) as [DmHint, DmHint, DmHint, DmHint];
  const passed: string[] = [];
  const order = new HintOrder(({ id }) => passed.push(id));

  for (const event of [first, fourth, third]) order.hear(event);

  expect(passed).toEqual([first.id]);
  await eventually(() => expect(passed).toEqual([first.id, second.id, third.id, fourth.id]));
});

test("a hint that is told twice, or after its message came with others, is passed on once", async () => {
  const [first, second, third, fourth] = events(4) as [DmHint, DmHint, DmHint, DmHint];
  const passed: string[] = [];
  const order = new HintOrder(({ id }) => passed.push(id));

  for (const event of [first, first, third]) order.hear(event);
  await eventually(() => expect(passed).toEqual([first.id, second.id, third.id]));
  for (const event of [second, third, { ...first, after: null }, fourth]) order.hear(event);

  expect(passed).toEqual([first.id, second.id, third.id, fourth.id]);
});

test("a message long after the one before it waits for nobody", () => {
  const [, second] = events(2, 60_000) as [DmHint, DmHint];
  const passed: DmHint[] = [];

  new HintOrder((event) => passed.push(event)).hear(second);

  expect(passed).toEqual([second]);
});

test("conversations do not wait for each other", () => {
  const [, second] = events(2) as [DmHint, DmHint];
  const elsewhere: DmHint = { low: 1, high: 3, id: nextMessageId(NOON, null), after: null };
  const passed: DmHint[] = [];
  const order = new HintOrder((event) => passed.push(event));

  order.hear(second);
  order.hear(elsewhere);

  expect(passed).toEqual([elsewhere]);
});
