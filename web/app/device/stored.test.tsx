import { afterEach, describe, expect, test, vi } from "vitest";
import { browserStore, isStorageBlocked, parseStored, tabStore } from "./stored.ts";
import { exclusively } from "./exclusively.ts";

const restoring: (() => void)[] = [];

afterEach(() => {
  for (const restore of restoring.splice(0)) restore();
});

function replace(owner: object, name: string, descriptor: PropertyDescriptor): void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, ...descriptor });
  restoring.push(() => {
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  });
}

const denied = () => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};

function block(): void {
  for (const name of ["localStorage", "sessionStorage"]) replace(globalThis, name, { get: denied });
}

function fill(): void {
  const full = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  const spy = vi.spyOn(Storage.prototype, "setItem").mockImplementation(full);
  restoring.push(() => spy.mockRestore());
}

describe.each([
  ["blocks storage", block],
  ["has no space left", fill],
])("a browser that %s", (_, limit) => {
  test.each([
    ["the browser", browserStore],
    ["the tab", tabStore],
  ])("keeps the texts of %s in the page", (__, store) => {
    limit();
    store.set("drafts", "one");
    store.set("drafts", "two");
    store.set("session", "of a member");

    expect(store.get("drafts")).toBe("two");
    store.remove("drafts");
    expect(store.get("drafts")).toBeNull();
    store.removeAllExcept("language");
    expect(store.get("session")).toBeNull();
  });
});

test("a text that another tab changes meanwhile replaces the kept one", () => {
  fill();
  browserStore.set("session", "of this page");
  restoring.pop()?.();
  localStorage.setItem("session", "of another tab");

  expect(browserStore.get("session")).toBe("of another tab");
});

test.each(["", "{", "[object Object]", "null", "7"])("the stored text %j counts as none", (text) => {
  expect(parseStored(text)).toBeNull();
});

test("the app notices blocked storage, but not a full one", () => {
  fill();
  expect(isStorageBlocked()).toBe(false);
  block();
  expect(isStorageBlocked()).toBe(true);
});

test("an act runs without the lock that such a browser denies, and once", async () => {
  replace(navigator, "locks", { value: { request: async () => denied() } });

  expect(await exclusively("session", async () => "done")).toBe("done");
  replace(navigator, "locks", { value: { request: async (_: string, act: () => unknown) => act() } });
  const failing = vi.fn(async () => Promise.reject(new Error("failed")));
  await expect(exclusively("session", failing)).rejects.toThrow("failed");
  expect(failing).toHaveBeenCalledOnce();
});
