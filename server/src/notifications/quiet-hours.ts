import { MINUTE_MS } from "../platform/clock.ts";

/** The hours in which a member is told nothing; times are minutes of the day in its zone. */
export interface QuietHours {
  readonly quiet_hours: boolean;
  readonly quiet_from: number;
  readonly quiet_to: number;
  readonly time_zone: string | null;
}

const DAY_MINUTES = 24 * 60;

/** When the quiet hours end that an instant lies in; null outside of them. */
export function quietEnd(quiet: QuietHours, at: Date): Date | null {
  if (!quiet.quiet_hours || !isWithin(quiet, at)) return null;
  const whole = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const left = (quiet.quiet_to - minuteOfDay(quiet, at) + DAY_MINUTES) % DAY_MINUTES;
  const end = new Date(whole + left * MINUTE_MS);
  const wrong = (minuteOfDay(quiet, end) - quiet.quiet_to + DAY_MINUTES * 1.5) % DAY_MINUTES;
  const right = new Date(end.getTime() - (wrong - DAY_MINUTES / 2) * MINUTE_MS);
  // Where the clocks were changed in between; a time that they left out is no end.
  return isWithin(quiet, right) ? end : right;
}

/** From 22:00 to 07:00 is over midnight. */
function isWithin(quiet: QuietHours, at: Date): boolean {
  const { quiet_from: from, quiet_to: to } = quiet;
  const minute = minuteOfDay(quiet, at);
  return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}

function minuteOfDay({ time_zone }: QuietHours, at: Date): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: time_zone ?? "UTC",
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at);
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return numberOf("hour") * 60 + numberOf("minute");
}

/** `HH:MM` as minutes of the day. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Minutes of the day as `HH:MM`. */
export function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
