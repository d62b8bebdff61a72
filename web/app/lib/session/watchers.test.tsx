import { afterEach, beforeEach, expect, test } from "vitest";
import { browserStore, tabStore } from "../../device/stored.ts";
import { clearSession, currentSession, startSession } from "./session.ts";
import { startWatchers } from "./watchers.ts";

const tokens = { access: "an access token", refresh: "a refresh token" };

beforeEach(() => {
  startSession(tokens, false);
  currentSession(); // this page shows the member's data
  tabStore.set("drafts", "a message");
  tabStore.set("checkout", "an order");
});

afterEach(() => {
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
