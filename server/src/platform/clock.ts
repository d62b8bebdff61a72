import { BoundedCache } from "./lib/bounded-cache.ts";

/** No rule reads the time from the system or the database. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Stored times about members are rounded (docs/stored-data.md, Times). */
export function floorTo(at: Date, unitMs: number): Date {
  return new Date(Math.floor(at.getTime() / unitMs) * unitMs);
}

export function ceilTo(at: Date, unitMs: number): Date {
  return new Date(Math.ceil(at.getTime() / unitMs) * unitMs);
}

/** Rounded, so that the time does not show the event before it. */
export function pollTimeAfter(now: Date, delayMs: number): Date {
  return floorTo(new Date(now.getTime() + delayMs), delayMs < HOUR_MS ? MINUTE_MS : HOUR_MS);
}

/** Months since the year 0 of a day `YYYY-MM-DD`. */
export function monthOf(day: string): number {
  return 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1;
}

export interface TimeSpan {
  readonly start: Date;
  readonly end: Date;
}

const formats = new BoundedCache<string, Intl.DateTimeFormat>(1_000);

/** `YYYY-MM-DD HH:MM`, as clocks of the zone show it. */
function localTime(timeZone: string, at: Date | number): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  formats.set(timeZone, format);
  return format.format(at);
}

export function dayIn(timeZone: string, at: Date): string {
  return localTime(timeZone, at).slice(0, 10);
}

export function dayEndIn(timeZone: string, at: Date): Date {
  return dayFrom(timeZone, 0, at).end;
}

const spans = new BoundedCache<string, TimeSpan>(5_000);

/** From one full hour of the zone to the same hour of its next day. */
export function dayFrom(timeZone: string, hour: number, at: Date): TimeSpan {
  const key = `${hour} ${timeZone}`;
  const known = spans.get(key);
  if (known && known.start <= at && at < known.end) return known;
  const today = dayIn(timeZone, at);
  const begins = [-2, -1, 0, 1, 2].flatMap((days) => beginOf(timeZone, addDays(today, days), hour) ?? []);
  const span = { start: begins.findLast((begin) => begin <= at)!, end: begins.find((begin) => begin > at)! };
  spans.set(key, span);
  return span;
}

/** Null for a day that the zone skipped. */
function beginOf(timeZone: string, day: string, hour: number): Date | null {
  const time = `${day} ${String(hour).padStart(2, "0")}:00`;
  const utc = Date.parse(`${time}Z`);
  let [before, after] = [utc - DAY_MS, utc + DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(timeZone, middle) < time) before = middle;
    else after = middle;
  }
  const begin = new Date(after);
  return dayIn(timeZone, begin) === day ? begin : null;
}

const addDays = (day: string, days: number): string => utcDay(new Date(Date.parse(day) + days * DAY_MS));

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
