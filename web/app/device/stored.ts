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
  /** Whether texts would be lost with this page: the browser denies a part of this storage, or has no space left in it. */
  isLossy(): boolean;
}

/** Longer than a session or a PIN. */
const PROBE = "-".repeat(999);

/**
 * A change that could not be stored; null is a removal. It is void once another tab has stored another text than the one
 * `over` which it stands.
 */
interface Unstored {
  readonly text: string | null;
  readonly over: string | null;
}

/**
 * Where the browser blocks its storage or a part of it, or has no space left in it, the page itself keeps the changes until
 * it is left.
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
  const read = (key: string) => attempt((usable) => usable.getItem(key));
  const write = (key: string, text: string | null) => {
    unstored.set(key, { text, over: read(key) });
    attempt((usable) => (text === null ? usable.removeItem(key) : usable.setItem(key, text)));
    if (read(key) === text) unstored.delete(key);
  };
  return {
    get(key) {
      const stored = read(key);
      const own = unstored.get(key);
      return own?.over === stored ? own.text : stored;
    },
    set: write,
    remove(...keys) {
      for (const key of keys) write(key, null);
    },
    removeAllExcept(stored) {
      for (const key of [...unstored.keys(), ...(attempt(Object.keys) ?? [])])
        if (key !== stored) write(key, null);
    },
    isLossy() {
      write(PROBE, PROBE);
      const isLost = unstored.has(PROBE);
      write(PROBE, null);
      return isLost;
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
