import { arrivals } from "@alcove/contract/users";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { dayFrom, HOUR_MS } from "../platform/clock.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { cardDay, type CardDays, changedDay, MIN_CARD_DAY_MS, UNCHOSEN } from "./card-day.ts";

/** Clocks change at midnight, by two hours, by half an hour or twice within weeks; one zone skipped 30 December 2011. */
const ZONES = [
  "Africa/Cairo",
  "America/Havana",
  "America/Santiago",
  "Antarctica/Troll",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
  "America/Halifax",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Honolulu",
  "Asia/Tokyo",
];
const config = readConfig({});

test.each([
  ["Asia/Tokyo", 20, "2026-05-01T10:59:59.999Z", "2026-04-30T11:00:00Z", "2026-05-01T11:00:00Z"],
  ["Asia/Tokyo", 20, "2026-05-01T11:00:00Z", "2026-05-01T11:00:00Z", "2026-05-02T11:00:00Z"],
  ["America/New_York", 7, "2026-03-08T10:00:00Z", "2026-03-07T12:00:00Z", "2026-03-08T11:00:00Z"],
  ["America/New_York", 7, "2026-11-01T11:30:00Z", "2026-10-31T11:00:00Z", "2026-11-01T12:00:00Z"],
  ["Africa/Cairo", 0, "2026-04-23T22:30:00Z", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"], // 00:00 does not exist
  ["America/Havana", 0, "2026-11-01T05:30:00Z", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"], // 00:30 twice
  ["Pacific/Apia", 7, "2011-12-30T10:30:00Z", "2011-12-29T17:00:00Z", "2011-12-30T17:00:00Z"], // no 30 December
])("a day in %s from %i:00 on contains %s", (zone, hour, at, start, end) => {
  expect(dayFrom(zone, hour, new Date(at))).toEqual({ start: new Date(start), end: new Date(end) });
});

test.each([
  ["2026-01-01T00:00:00Z", 1],
  ["2011-06-01T00:00:00Z", 2], // with a skipped day
])("never begins two card days within 20 hours, from %s on (seed %i)", (from, seed) => {
  const random = seededRandom(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  let days: CardDays = { ...UNCHOSEN, card_day_start: null, card_day_end: null };
  let now = new Date(from);
  const clock = { now: () => now };
  const starts: Date[] = [];
  let changedAt = 0;
  for (let hours = 0; hours < 370 * 24; hours += 0.5) {
    now = new Date(Date.parse(from) + hours * HOUR_MS);
    const { start, end } = cardDay({ config, clock }, days);
    expect(start <= now && now < end).toBe(true);
    if (start.getTime() !== starts.at(-1)?.getTime()) starts.push(start);
    if (hours - changedAt < 7 * 24 || random() > 1 / 48) continue;
    changedAt = hours;
    const chosen = { arrival: pick(arrivals), arrival_zone: pick(ZONES) };
    const since = new Date(Math.max(start.getTime(), now.getTime() - MIN_CARD_DAY_MS));
    const changed = changedDay({ config }, { start, since }, chosen);
    days = { ...chosen, card_day_start: changed.start, card_day_end: changed.end };
  }

  const gaps = starts.slice(1).map((start, i) => start.getTime() - starts[i]!.getTime());

  expect(starts.length).toBeGreaterThan(330);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(MIN_CARD_DAY_MS);
  expect(Math.max(...gaps)).toBeLessThan(51 * HOUR_MS);
});
