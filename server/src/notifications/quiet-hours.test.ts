import { expect, test } from "vitest";
import { parseTimeOfDay, endOfQuietHours, formatTimeOfDay } from "./quiet-hours.ts";

function endOf(from: string, to: string, zone: string | null, at: string): string | null {
  const quiet = {
    quiet_hours: true,
    quiet_from: parseTimeOfDay(from),
    quiet_to: parseTimeOfDay(to),
  };
  return endOfQuietHours(quiet, zone, new Date(at))?.toISOString() ?? null;
}

test.each([
  // Tokyo is nine hours ahead.
  ["22:00", "07:00", "Asia/Tokyo", "2030-03-01T12:59:59Z", null],
  ["22:00", "07:00", "Asia/Tokyo", "2030-03-01T13:00:00Z", "2030-03-01T22:00:00.000Z"],
  ["22:00", "07:00", "Asia/Tokyo", "2030-03-01T21:59:59Z", "2030-03-01T22:00:00.000Z"],
  ["22:00", "07:00", "Asia/Tokyo", "2030-03-01T22:00:00Z", null],
  // Within one day, and before any zone was saved.
  ["09:00", "17:30", null, "2030-03-01T12:15:30Z", "2030-03-01T17:30:00.000Z"],
  ["09:00", "17:30", null, "2030-03-01T08:59:00Z", null],
  // Half hours, and a zone with a quarter-hour offset.
  ["23:30", "06:15", "Asia/Kathmandu", "2030-03-01T18:00:00Z", "2030-03-02T00:30:00.000Z"],
  // Berlin's clocks go forward and back in these nights.
  ["22:00", "07:00", "Europe/Berlin", "2030-03-30T22:00:00Z", "2030-03-31T05:00:00.000Z"],
  ["22:00", "07:00", "Europe/Berlin", "2030-10-26T21:00:00Z", "2030-10-27T06:00:00.000Z"],
])("returns the end of quiet hours from %s to %s in %s at %s: %s", (from, to, zone, at, end) => {
  expect(endOf(from, to, zone, at)).toBe(end);
});

test("returns null when quiet hours are off", () => {
  const never = { quiet_hours: false, quiet_from: 0, quiet_to: 1439 };

  expect(endOfQuietHours(never, "Asia/Tokyo", new Date("2030-03-01T18:00:00Z"))).toBeNull();
});

test("formats parsed times of day unchanged", () => {
  for (const time of ["00:00", "07:05", "23:59"]) expect(formatTimeOfDay(parseTimeOfDay(time))).toBe(time);
});
