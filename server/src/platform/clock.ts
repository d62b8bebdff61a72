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

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
