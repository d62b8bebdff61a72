import { persistentStore } from "./persistent-store.ts";

/** Every key that the app stores in a browser, for the privacy policy. React Router itself stores the last one. */
export const STORED_KEYS = [
  "language",
  "discretion",
  "session",
  "renewal",
  "device",
  "ending",
  "farewells",
  "login",
  "lock",
  "activeAt",
  "push",
  "drafts",
  "outbox",
  "signUp",
  "reset",
  "invitedBy",
  "google",
  "checkout",
  "plan",
  "banners",
  "react-router-scroll-positions",
] as const;

export type StoredKey = (typeof STORED_KEYS)[number];

export interface Store {
  get(key: StoredKey): string | null;
  set(key: StoredKey, text: string): void;
  remove(...keys: readonly StoredKey[]): void;
  /** Deletes the keys of others too. */
  removeAllExcept(stored: StoredKey): void;
}

/** The storage is read at each use, because pages are also rendered where there is none. */
function storeIn(storage: () => Storage): Store {
  return {
    get: (key) => storage().getItem(key),
    set: (key, text) => storage().setItem(key, text),
    remove(...keys) {
      for (const key of keys) storage().removeItem(key);
    },
    removeAllExcept(stored) {
      for (const key of Object.keys(storage())) if (key !== stored) storage().removeItem(key);
    },
  };
}

/** Shared by all tabs, until deleted. */
export const browserStore: Store = persistentStore ?? storeIn(() => localStorage);

/** Until the tab is closed. */
export const tabStore: Store = storeIn(() => sessionStorage);

export const bothStores: readonly Store[] = [tabStore, browserStore];

/** For a script in the head: stores the value of an expression in the browser. */
export function storeScript(key: StoredKey, expression: string): string {
  return `localStorage.setItem("${key}", ${expression})`;
}

/** For a script in the head: an expression that reads the value. A tab's own value comes first. */
export function readScript(key: StoredKey, where: "tab" | "browser" | "either" = "either"): string {
  const reads = { tab: `sessionStorage.getItem("${key}")`, browser: `localStorage.getItem("${key}")` };
  return where === "either" ? `(${reads.tab} ?? ${reads.browser})` : reads[where];
}
