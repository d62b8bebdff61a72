import { afterEach, describe, expect, test, vi } from "vitest";
import { exclusively } from "./exclusively.ts";
import { browserStore, parseStored, tabStore } from "./stored.ts";

const restoring: (() => void)[] = [];

function restoreAll(): void {
  for (const restore of restoring.splice(0)) restore();
}

afterEach(restoreAll);

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

const full = () => {
  throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
};

/** Replaces methods of both storages. Those of their prototype are not called here. */
function failWith(methods: Partial<Storage>): void {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    const usable = globalThis[name];
    replace(globalThis, name, { value: new Proxy(usable, handlerOf(methods)) });
  }
}

const handlerOf = (methods: Partial<Storage>): ProxyHandler<Storage> => ({
  get(usable, property) {
    const name = String(property);
    const member: unknown = methods[name] ?? usable[name];
    return typeof member === "function" ? member.bind(usable) : member;
  },
});

const fill = () => failWith({ setItem: full });

describe.each([
  ["blocks storage", block],
  ["has no space left", fill],
  ["only writes", () => failWith({ getItem: denied })],
  ["keeps nothing without a word", () => failWith({ setItem: () => undefined })],
  ["removes nothing", () => failWith({ removeItem: denied })],
  ["only reads", () => failWith({ setItem: denied, removeItem: denied })],
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

test("a text that was stored before counts as removed where the browser removes nothing", () => {
  localStorage.setItem("session", "of a member");
  failWith({ removeItem: denied });
  browserStore.remove("session");

  expect(browserStore.get("session")).toBeNull();
});

test("a text that another tab changes meanwhile replaces the kept one", () => {
  fill();
  browserStore.set("session", "of this page");
  restoreAll();
  localStorage.setItem("session", "of another tab");

  expect(browserStore.get("session")).toBe("of another tab");
});

test.each(["", "{", "[object Object]", "null", "7"])("the stored text %j counts as none", (text) => {
  expect(parseStored(text)).toBeNull();
});

test.each([
  ["keeps texts", () => undefined, false],
  ["removes nothing", () => failWith({ removeItem: denied }), false],
  ["has no space left", fill, true],
  ["only writes", () => failWith({ getItem: denied }), true],
  ["blocks storage", block, true],
])("the login and the PIN know whether a browser that %s loses them", (_, limit, isLossy) => {
  limit();
  expect(browserStore.isLossy()).toBe(isLossy);
  expect(tabStore.isLossy()).toBe(isLossy);
  restoreAll();
  for (const storage of [localStorage, sessionStorage]) storage.clear();
});

test("an act runs without the lock that such a browser denies, and once", async () => {
  replace(navigator, "locks", { value: { request: async () => denied() } });

  expect(await exclusively("session", async () => "done")).toBe("done");
  replace(navigator, "locks", { value: { request: async (_: string, act: () => unknown) => act() } });
  const failing = vi.fn(async () => Promise.reject(new Error("failed")));
  await expect(exclusively("session", failing)).rejects.toThrow("failed");
  expect(failing).toHaveBeenCalledOnce();
});
