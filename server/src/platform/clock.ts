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

const dayFormats = new Map<string, Intl.DateTimeFormat>();

export function dayIn(timeZone: string, at: Date): string {
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  dayFormats.set(timeZone, format);
  return format.format(at);
}

export function dayEndIn(timeZone: string, at: Date): Date {
  const today = dayIn(timeZone, at);
  let [before, after] = [at.getTime(), at.getTime() + 2 * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(timeZone, new Date(middle)) === today) before = middle;
    else after = middle;
  }
  return new Date(after);
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
