import { afterEach, expect, test, vi } from "vitest";
import { noteServerTime, serverNow } from "./server-clock.ts";

const NOW = Date.UTC(2026, 10, 26, 12);
const HOUR_MS = 3_600_000;
const respond = (date: string) => noteServerTime(new Response(null, { headers: { date } }));

afterEach(() => {
  vi.useRealTimers();
  respond(new Date().toUTCString());
});

test.each([
  ["26 hours behind", -26 * HOUR_MS],
  ["26 hours ahead", 26 * HOUR_MS],
  ["400 days behind", -400 * 24 * HOUR_MS],
  ["in the year 1970", -NOW],
  ["two minutes ahead", 120_000],
])("follows the server where the device's clock is %s", (_, wrongMs) => {
  vi.useFakeTimers({ now: NOW + wrongMs });
  respond(new Date(NOW).toUTCString());
  expect(serverNow()).toBe(NOW);

  vi.advanceTimersByTime(5_000);
  expect(serverNow()).toBe(NOW + 5_000);
});

test("follows the device within a minute, and once its clock is corrected", () => {
  vi.useFakeTimers({ now: NOW + 24 * HOUR_MS });
  respond(new Date(NOW).toUTCString());
  vi.setSystemTime(NOW + 900);
  respond(new Date(NOW).toUTCString());

  expect(serverNow()).toBe(NOW + 900);
  respond("no date");
  expect(serverNow()).toBe(NOW + 900);
});
