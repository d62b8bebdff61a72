import { expect, test } from "vitest";
import { IdleTimer, WARNING_MS, type IdleDeps } from "./idle.ts";

const MINUTE = 60_000;
const LIMIT = 15 * MINUTE;

function newDevice() {
  const device = {
    now: 1_000_000_000,
    activeAt: null as number | null,
    limitMs: LIMIT as number | null,
    endedSessions: 0,
    tabs: [] as IdleTimer[],
    timers: [] as { at: number; act: () => void }[],
    openTab(): IdleTimer {
      const tab: IdleTimer = new IdleTimer({
        ...deps,
        writeActiveAt(at) {
          device.activeAt = at;
          for (const other of device.tabs) if (other !== tab) other.check();
        },
      });
      device.tabs.push(tab);
      tab.check();
      return tab;
    },
    closeAll() {
      device.tabs = [];
      device.timers = [];
    },
    pass(ms: number) {
      const until = device.now + ms;
      for (;;) {
        const [next] = device.timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        device.timers = device.timers.filter((timer) => timer !== next);
        device.now = next.at;
        next.act();
      }
      device.now = until;
    },
  };
  const deps: Omit<IdleDeps, "writeActiveAt"> = {
    readActiveAt: () => device.activeAt,
    limitMs: () => device.limitMs,
    now: () => device.now,
    setTimer(act, ms) {
      const timer = { at: device.now + ms, act };
      device.timers.push(timer);
      return () => void (device.timers = device.timers.filter((other) => other !== timer));
    },
    endSession() {
      device.endedSessions++;
      device.limitMs = null;
      device.activeAt = null;
    },
  };
  return device;
}

test("ends an unused session, with a warning one minute before", () => {
  const device = newDevice();
  const tab = device.openTab();

  device.pass(LIMIT - WARNING_MS - 1);
  expect(tab.isWarning()).toBe(false);
  device.pass(1);
  expect([tab.isWarning(), device.endedSessions]).toEqual([true, 0]);
  device.pass(WARNING_MS);

  expect([tab.isWarning(), device.endedSessions]).toEqual([false, 1]);
});

test("restarts the time when any tab is used", () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];

  for (let use = 0; use < 5; use++) {
    device.pass(10 * MINUTE);
    (use % 2 ? one : two).recordUse();
  }

  expect([device.endedSessions, one.isWarning(), two.isWarning()]).toEqual([0, false, false]);
  device.pass(LIMIT);
  expect(device.endedSessions).toBe(1);
});

test("ends the warning in every tab only when the member stays", () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];
  device.pass(LIMIT - WARNING_MS);

  one.recordUse();
  expect([one.isWarning(), two.isWarning()]).toEqual([true, true]);
  one.stay();

  expect([one.isWarning(), two.isWarning()]).toEqual([false, false]);
  device.pass(LIMIT - 1);
  expect(device.endedSessions).toBe(0);
});

test("counts the time while the browser is closed", () => {
  const device = newDevice();
  device.openTab().recordUse();
  device.closeAll();
  device.now += LIMIT;

  device.openTab();

  expect(device.endedSessions).toBe(1);
});

test("ends the session when use comes too late", () => {
  const device = newDevice();
  const tab = device.openTab();
  device.timers = []; // asleep
  device.now += LIMIT;

  tab.recordUse();

  expect(device.endedSessions).toBe(1);
});

test("ends the session when the clock is set back, but not when it is corrected by seconds", () => {
  const device = newDevice();
  const tab = device.openTab();
  device.now -= 30_000;
  tab.check();
  expect(device.endedSessions).toBe(0);

  device.now -= 60 * MINUTE;
  tab.check();

  expect(device.endedSessions).toBe(1);
});

test("ends nothing without a limit, and counts a new limit from the last use", () => {
  const device = newDevice();
  device.limitMs = null;
  const tab = device.openTab();
  device.pass(24 * 60 * MINUTE);
  tab.recordUse();
  expect([device.endedSessions, device.timers.length]).toEqual([0, 0]);

  device.limitMs = LIMIT;
  tab.check();
  device.pass(LIMIT - 1);
  expect(device.endedSessions).toBe(0);
  device.pass(1);

  expect(device.endedSessions).toBe(1);
});
