/** The one clock of rules, jobs and SQL: no rule asks the database or the system for the time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The day of an instant in UTC, `YYYY-MM-DD`; ages are counted by it (decisions, section 1). */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The calendar day of an instant in a time zone, `YYYY-MM-DD`; quotas are counted by it. */
export function dayIn(timeZone: string, at: Date): string {
  // The Swedish locale writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}

/** The first moment of the next calendar day in a time zone; days of 23 and 25 hours too. */
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
