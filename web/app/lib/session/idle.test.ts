import { expect, test } from "vitest";
import { IdleTimer, WARNING_MS, type IdleDeps } from "./idle.ts";

const MINUTE = 60_000;
const LIMIT = 15 * MINUTE;

/** A device: its clock, when it was used, and how often a session was ended on it. */
function newDevice() {
  const device = {
    now: 1_000_000_000,
    activeAt: null as number | null,
    limitMs: LIMIT as number | null,
    ended: 0,
    tabs: [] as IdleTimer[],
    timers: [] as { at: number; act: () => void }[],
    openTab(): IdleTimer {
      const tab: IdleTimer = new IdleTimer({
        ...world,
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
  const world: Omit<IdleDeps, "writeActiveAt"> = {
    readActiveAt: () => device.activeAt,
    limitMs: () => device.limitMs,
    now: () => device.now,
    setTimer(act, ms) {
      const timer = { at: device.now + ms, act };
      device.timers.push(timer);
      return () => void (device.timers = device.timers.filter((other) => other !== timer));
    },
    end() {
      device.ended++;
      device.limitMs = null;
      device.activeAt = null;
    },
  };
  return device;
}

test("a session that nobody uses ends, with a warning a minute before", () => {
  const device = newDevice();
  const tab = device.openTab();

  device.pass(LIMIT - WARNING_MS - 1);
  expect(tab.isWarning()).toBe(false);
  device.pass(1);
  expect([tab.isWarning(), device.ended]).toEqual([true, 0]);
  device.pass(WARNING_MS);

  expect([tab.isWarning(), device.ended]).toEqual([false, 1]);
});

test("use begins the time anew, in whichever tab it is", () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];

  for (let round = 0; round < 5; round++) {
    device.pass(10 * MINUTE);
    (round % 2 ? one : two).recordUse();
  }

  expect([device.ended, one.isWarning(), two.isWarning()]).toEqual([0, false, false]);
  device.pass(LIMIT);
  expect(device.ended).toBe(1);
});

test("during the warning only staying counts, and it ends the warning in every tab", () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];
  device.pass(LIMIT - WARNING_MS);

  one.recordUse();
  expect([one.isWarning(), two.isWarning()]).toEqual([true, true]);
  one.stay();

  expect([one.isWarning(), two.isWarning()]).toEqual([false, false]);
  device.pass(LIMIT - 1);
  expect(device.ended).toBe(0);
});

test("the time counts while the browser is closed", () => {
  const device = newDevice();
  device.openTab().recordUse();
  device.closeAll();
  device.now += LIMIT;

  device.openTab();

  expect(device.ended).toBe(1);
});

test("use that comes too late does not keep the session", () => {
  const device = newDevice();
  const tab = device.openTab();
  device.timers = []; // asleep
  device.now += LIMIT;

  tab.recordUse();

  expect(device.ended).toBe(1);
});

test("a clock that is set back ends the session, one that is put right by seconds does not", () => {
  const device = newDevice();
  const tab = device.openTab();
  device.now -= 30_000;
  tab.check();
  expect(device.ended).toBe(0);

  device.now -= 60 * MINUTE;
  tab.check();

  expect(device.ended).toBe(1);
});

test("with no limit nothing ends, and a limit that is chosen later counts from the last use", () => {
  const device = newDevice();
  device.limitMs = null;
  const tab = device.openTab();
  device.pass(24 * 60 * MINUTE);
  tab.recordUse();
  expect([device.ended, device.timers.length]).toEqual([0, 0]);

  device.limitMs = LIMIT;
  tab.check();
  device.pass(LIMIT - 1);
  expect(device.ended).toBe(0);
  device.pass(1);

  expect(device.ended).toBe(1);
});
