import { MINUTE_MS } from "../platform/clock.ts";

/** Times are minutes of the day in the member's zone; an unknown zone is UTC. */
export interface QuietHours {
  readonly quiet_hours: boolean;
  readonly quiet_from: number;
  readonly quiet_to: number;
}

const DAY_MINUTES = 24 * 60;

export function endOfQuietHours(quiet: QuietHours, zone: string | null, at: Date): Date | null {
  const timeZone = zone ?? "UTC";
  if (!quiet.quiet_hours || !isWithin(quiet, timeZone, at)) return null;
  const minuteStart = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const remaining = (quiet.quiet_to - minuteOfDay(timeZone, at) + DAY_MINUTES) % DAY_MINUTES;
  const end = new Date(minuteStart + remaining * MINUTE_MS);
  const shifted = (minuteOfDay(timeZone, end) - quiet.quiet_to + DAY_MINUTES * 1.5) % DAY_MINUTES;
  const corrected = new Date(end.getTime() - (shifted - DAY_MINUTES / 2) * MINUTE_MS);
  // Corrects for a clock change in between, unless that change skips the end.
  return isWithin(quiet, timeZone, corrected) ? end : corrected;
}

function isWithin(quiet: QuietHours, timeZone: string, at: Date): boolean {
  const { quiet_from: from, quiet_to: to } = quiet;
  const minute = minuteOfDay(timeZone, at);
  return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}

function minuteOfDay(timeZone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at);
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return numberOf("hour") * 60 + numberOf("minute");
}

export function parseTimeOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

export function formatTimeOfDay(minutes: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
