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
  "notes",
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
  "card",
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
  removeAllExcept(stored: StoredKey | null): void;
}

/** A text that could not be stored. It is void once another tab has stored another text than the one `over` which it stands. */
interface Unstored {
  readonly text: string;
  readonly over: string | null;
}

/**
 * Where the browser blocks its storage, or has no space left in it, the page itself keeps the texts until it is left.
 *
 * The storage is read at each use, because pages are also rendered where there is none.
 */
function storeIn(storage: () => Storage): Store {
  const unstored = new Map<string, Unstored>();
  const attempt = <T>(act: (usable: Storage) => T): T | null => {
    try {
      return act(storage());
    } catch {
      return null;
    }
  };
  const remove = (key: string) => {
    unstored.delete(key);
    attempt((usable) => usable.removeItem(key));
  };
  return {
    get(key) {
      const stored = attempt((usable) => usable.getItem(key));
      const own = unstored.get(key);
      return own && own.over === stored ? own.text : stored;
    },
    set(key, text) {
      unstored.set(key, { text, over: attempt((usable) => usable.getItem(key)) });
      attempt((usable) => {
        usable.setItem(key, text);
        unstored.delete(key);
      });
    },
    remove(...keys) {
      for (const key of keys) remove(key);
    },
    removeAllExcept(stored) {
      const keys = [...unstored.keys(), ...(attempt(Object.keys) ?? [])];
      for (const key of keys) if (key !== stored) remove(key);
    },
  };
}

/** Damaged text counts as none, so that it cannot keep the app from starting. */
export function parseStored<T extends object>(text: string | null): T | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" ? (value as T | null) : null;
  } catch {
    return null;
  }
}

/** Whether the browser denies this site all storage. */
export function isStorageBlocked(): boolean {
  try {
    localStorage.getItem("session");
    return false;
  } catch {
    return true;
  }
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
