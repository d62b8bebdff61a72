import { expect, test } from "vitest";
import { nextMessageId, timeOfId } from "./message-id.ts";

const NOON = new Date("2026-05-06T12:00:00.123Z");

test("creates a UUIDv7 that contains the time", () => {
  const id = nextMessageId(NOON, null);

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOfId(id)).toBe(NOON.getTime());
});

test("creates rising ids within one millisecond", () => {
  const ids: string[] = [];
  for (let i = 0; i < 10_000; i++) ids.push(nextMessageId(NOON, ids.at(-1) ?? null));

  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(10_000);
});

test("creates rising ids when the clock goes back by an hour", () => {
  const before = nextMessageId(NOON, null);

  const after = nextMessageId(new Date(NOON.getTime() - 3_600_000), before);

  expect(after > before).toBe(true);
});
