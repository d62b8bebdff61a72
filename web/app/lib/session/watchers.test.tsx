import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserStore, STORED_KEYS, tabStore } from "../../device/stored.ts";
import { privacyEn } from "../../screens/legal/privacy.en.ts";
import { endSession } from "./end-session.ts";
import { clearSession, currentSession, releasePage, startSession } from "./session.ts";
import { startWatchers } from "./watchers.ts";

const tokens = { access: "an access token", refresh: "a refresh token" };

beforeEach(() => {
  startSession(tokens, false);
  currentSession(); // this page shows the member's data
  tabStore.set("drafts", "a message");
  tabStore.set("checkout", "an order");
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const store of [tabStore, browserStore]) store.removeAllExcept("language");
});

test("deletes the member's data of this tab when another tab logs out", () => {
  startWatchers(() => {});
  expect(tabStore.get("drafts")).toBe("a message");

  browserStore.remove("session");
  dispatchEvent(new StorageEvent("storage"));

  expect(Object.keys(sessionStorage)).toEqual([]);
});

test("deletes an unfinished login at Google with the session", () => {
  tabStore.set("google", "invited_by__taro");

  clearSession();

  expect(Object.keys(sessionStorage)).toEqual([]);
});

test("deletes at a logout every key that the privacy policy does not mark as one that stays", () => {
  const meanings: Record<string, string> = privacyEn.device.items;
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  for (const key of STORED_KEYS) if (key !== "session") browserStore.set(key, "[]");

  void endSession();

  const left = STORED_KEYS.filter((key) => tabStore.get(key) !== null || browserStore.get(key) !== null);
  expect(left.filter((key) => !/\bstays\b|tab or app is closed/i.test(meanings[key]!))).toEqual([]);
});

test("shows no login of another tab after the logout of a tab on a shared computer", () => {
  browserStore.set("session", JSON.stringify({ ...tokens, login: "of another member" }));
  startSession(tokens, true);

  clearSession();
  releasePage();

  expect(currentSession()).toBeNull();
});
