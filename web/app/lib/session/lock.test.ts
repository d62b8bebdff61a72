import { expect, test } from "vitest";
import { Lock, MAX_WRONG_PINS, type LockDeps } from "./lock.ts";
import { PinLock, type PinLockDeps } from "./pin-lock.ts";

const MINUTE = 60_000;

type Tab = Lock & { pin: PinLock };

function newDevice() {
  let queue: Promise<unknown> = Promise.resolve();
  const device = {
    stored: null as string | null,
    now: 1_000_000_000,
    hashed: [] as string[],
    random: 0,
    isStuck: false,
    tabs: [] as Tab[],
    timers: [] as { at: number; act: () => void }[],
    openTab(): Tab {
      const lock = new Lock({
        ...deps,
        write(text) {
          device.stored = text;
          for (const other of device.tabs) if (other !== tab) other.sync();
        },
      });
      const tab: Tab = Object.assign(lock, { pin: new PinLock(lock, deps) });
      device.tabs.push(tab);
      tab.start();
      return tab;
    },
    closeAll: () => void (device.tabs = []),
    pass(ms: number) {
      device.now += ms;
      const due = device.timers.filter(({ at }) => at <= device.now);
      device.timers = device.timers.filter((timer) => !due.includes(timer));
      for (const { act } of due) act();
    },
  };
  const deps: Omit<LockDeps, "write"> & PinLockDeps = {
    read: () => device.stored,
    now: () => device.now,
    setTimer(act, ms) {
      const timer = { at: device.now + ms, act };
      device.timers.push(timer);
      return () => void (device.timers = device.timers.filter((other) => other !== timer));
    },
    random: (bytes) => `${bytes} random bytes ${device.random++}`,
    hash: async (pin, salt, rounds) => {
      device.hashed.push(pin);
      if (device.isStuck) return new Promise(() => undefined);
      return `${rounds} rounds of ${pin.length} digits that make ${Number(pin) * 7} with ${salt}`;
    },
    exclusively: <T>(act: () => Promise<T>) => {
      const done = queue.then(act);
      queue = done.catch(() => undefined);
      return done;
    },
  };
  return device;
}

const WITHOUT_PIN = { isSet: false, isLocked: false, afterMs: 0, pinLength: 0, hasBiometrics: false };
const isLocked = (tab: Tab) => tab.getState().isLocked;

test("never locks without a PIN", () => {
  const tab = newDevice().openTab();

  tab.lock();
  tab.handleHidden();
  tab.handleVisible();

  expect(tab.getState()).toEqual(WITHOUT_PIN);
});

test("starts locked, unlocks with the PIN, and locks by hand", async () => {
  const device = newDevice();
  await device.openTab().pin.set("2468", 0);
  device.closeAll();
  const tab = device.openTab();
  expect(isLocked(tab)).toBe(true);

  expect(await tab.pin.unlock("1357")).toEqual({ outcome: "wrong", left: 9, waitMs: 0 });
  expect(isLocked(tab)).toBe(true);
  expect(await tab.pin.unlock("2468")).toEqual({ outcome: "right" });
  expect(isLocked(tab)).toBe(false);

  tab.lock();
  expect(isLocked(tab)).toBe(true);
});

test("stores no PIN but a slow hash", async () => {
  const device = newDevice();

  await device.openTab().pin.set("24681357", 0);

  expect(device.stored).not.toContain("24681357");
  expect((JSON.parse(device.stored!) as { rounds: number }).rounds).toBeGreaterThanOrEqual(600_000);
});

test("knows the second PIN wherever it asks for one, and stores the same without one", async () => {
  const [device, other] = [newDevice(), newDevice()];
  const tab = device.openTab();
  await tab.pin.set("2468", 0, { second: "1357", logoutToken: "token" });
  await other.openTab().pin.set("2468", 0, { logoutToken: "token" });
  const shapeOf = (stored: string | null) =>
    Object.entries(JSON.parse(stored!) as object).map(([name, value]) => `${name}: ${typeof value}`);
  expect(shapeOf(device.stored)).toEqual(shapeOf(other.stored));
  device.hashed = [];
  tab.lock();

  expect(await tab.pin.unlock("1357")).toEqual({ outcome: "second", logoutToken: "token" });
  expect(isLocked(tab)).toBe(true);
  expect(await tab.pin.remove("1357")).toEqual({ outcome: "second", logoutToken: "token" });
  expect(await tab.pin.unlock("0000")).toMatchObject({ outcome: "wrong" });
  expect(device.hashed).toEqual(["1357", "1357", "0000"]);
});

test.each([0, 1, 5, 15])("locks a hidden page after %i minutes, not before", async (minutes) => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", minutes * MINUTE);

  tab.handleHidden();
  if (minutes > 0) {
    device.pass(minutes * MINUTE - 1);
    tab.handleVisible();
    expect(isLocked(tab)).toBe(false);
    tab.handleHidden();
    device.pass(minutes * MINUTE);
  }

  expect(isLocked(tab)).toBe(true);
});

test("locks when a page becomes visible whose timers slept", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 5 * MINUTE);
  tab.handleHidden();
  device.timers = [];
  device.pass(6 * MINUTE);
  expect(isLocked(tab)).toBe(false);

  tab.handleVisible();

  expect(isLocked(tab)).toBe(true);
});

test("locks when the clock is set back", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 5 * MINUTE);
  tab.handleHidden();
  device.now -= 60 * MINUTE;

  tab.handleVisible();
  expect(isLocked(tab)).toBe(true);

  device.now -= 60 * MINUTE;
  tab.handleVisible();
  expect(isLocked(tab)).toBe(true);
});

test("does not lock while the member chooses a picture", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);

  tab.handleHidden(MINUTE);
  device.pass(MINUTE - 1);
  tab.handleVisible();

  expect(isLocked(tab)).toBe(false);
});

test("locks and unlocks all tabs together, but starts each new tab locked", async () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];
  await one.pin.set("2468", 5 * MINUTE);
  expect([one, two].map(isLocked)).toEqual([false, false]);

  const three = device.openTab();
  two.handleHidden();
  expect([one, two, three].map(isLocked)).toEqual([false, false, true]);
  two.lock();
  expect([one, two, three].map(isLocked)).toEqual([true, true, true]);
  await three.pin.unlock("2468");
  expect([one, two, three].map(isLocked)).toEqual([false, false, false]);
});

test("does not lock when another tab is in use", async () => {
  const device = newDevice();
  const [one, two] = [device.openTab(), device.openTab()];
  await one.pin.set("2468", 5 * MINUTE);

  one.handleHidden();
  two.handleVisible();
  device.pass(6 * MINUTE);

  expect([one, two].map(isLocked)).toEqual([false, false]);
});

test("waits longer after each wrong PIN, also after a reload or with the clock set back", async () => {
  const device = newDevice();
  await device.openTab().pin.set("2468", 0);
  device.closeAll();
  const tab = device.openTab();
  const waits: number[] = [];

  for (let attempt = 1; attempt < MAX_WRONG_PINS; attempt++) {
    expect(await tab.pin.unlock("0000")).toMatchObject({ outcome: "wrong", left: MAX_WRONG_PINS - attempt });
    waits.push(tab.pin.waitMs());
    device.pass(tab.pin.waitMs());
  }
  expect(waits).toEqual([0, 0, 5, 15, 30, 60, 120, 300, 900].map((seconds) => seconds * 1_000));

  device.now -= 15 * MINUTE; // as long as the last wait was
  device.closeAll();
  const reloaded = device.openTab();
  const before = device.hashed.length;
  expect(await reloaded.pin.unlock("2468")).toEqual({ outcome: "wait", waitMs: 15 * MINUTE });
  expect(device.hashed.length).toBe(before);
  device.now -= 365 * 24 * 60 * MINUTE;
  expect(reloaded.pin.waitMs()).toBe(15 * MINUTE);
  device.pass(15 * MINUTE);
  expect(await reloaded.pin.unlock("2468")).toEqual({ outcome: "right" });
});

test("accepts no PIN after the tenth wrong one", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);
  tab.lock();

  for (let attempt = 1; attempt < MAX_WRONG_PINS; attempt++) {
    await tab.pin.unlock("0000");
    device.pass(tab.pin.waitMs());
  }
  expect(tab.hasNoAttemptsLeft()).toBe(false);

  expect(await tab.pin.unlock("0000")).toEqual({ outcome: "over" });
  expect(tab.hasNoAttemptsLeft()).toBe(true);
  device.pass(60 * MINUTE);
  expect(await tab.pin.unlock("2468")).toEqual({ outcome: "over" });
  expect(isLocked(tab)).toBe(true);
});

test("resets the wrong PINs when the right one is entered", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);
  await tab.pin.unlock("0000");
  await tab.pin.unlock("0000");

  await tab.pin.unlock("2468");

  expect(await tab.pin.unlock("0000")).toMatchObject({ left: MAX_WRONG_PINS - 1 });
});

test("counts an attempt that a reload interrupts", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);
  device.isStuck = true;

  void tab.pin.unlock("0000");
  await expect.poll(() => device.hashed).toContain("0000");

  expect((JSON.parse(device.stored!) as { wrongPins: number }).wrongPins).toBe(1);
});

test("runs attempts of many tabs one after the other", async () => {
  const device = newDevice();
  await device.openTab().pin.set("2468", 0);
  device.closeAll();
  const tabs = Array.from({ length: 20 }, () => device.openTab());

  const outcomes = await Promise.all(tabs.map((tab) => tab.pin.unlock("0000")));

  expect(outcomes.filter(({ outcome }) => outcome === "wrong")).toHaveLength(3);
  expect(outcomes.filter(({ outcome }) => outcome === "wait")).toHaveLength(17);
});

test("is removed only with its PIN or with the session", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);

  expect(await tab.pin.remove("0000")).toMatchObject({ outcome: "wrong" });
  expect(tab.getState().isSet).toBe(true);
  expect(await tab.pin.remove("2468")).toEqual({ outcome: "right" });
  expect(device.stored).toBeNull();

  await tab.pin.set("2468", 0);
  tab.lock();
  device.stored = null; // logged out
  tab.sync();
  expect(tab.getState()).toEqual(WITHOUT_PIN);
});

test("unlocks by biometrics only where the member has allowed that, and forgives wrong PINs", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);
  tab.lock();

  tab.pin.unlockByBiometrics();
  expect(isLocked(tab)).toBe(true);
  await tab.pin.unlock("2468");
  tab.pin.setBiometrics(true);
  tab.lock();
  await tab.pin.unlock("1357");
  tab.pin.unlockByBiometrics();

  expect(tab.getState()).toMatchObject({ isLocked: false, hasBiometrics: true });
  expect(await tab.pin.unlock("1357")).toMatchObject({ outcome: "wrong", left: 9 });
});

test("opens with no PIN when its stored text is damaged", async () => {
  const device = newDevice();
  device.stored = "{";
  const tab = device.openTab();

  expect(isLocked(tab)).toBe(true);
  expect(tab.hasNoAttemptsLeft()).toBe(true);
  expect(await tab.pin.unlock("2468")).toEqual({ outcome: "over" });
});

test("does not unlock by biometrics after the last wrong PIN", async () => {
  const device = newDevice();
  const tab = device.openTab();
  await tab.pin.set("2468", 0);
  tab.pin.setBiometrics(true);
  tab.lock();
  for (let wrong = 0; wrong < MAX_WRONG_PINS; wrong++) {
    await tab.pin.unlock("1357");
    device.pass(15 * MINUTE);
  }

  tab.pin.unlockByBiometrics();

  expect(isLocked(tab)).toBe(true);
});
