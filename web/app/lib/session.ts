import { useSyncExternalStore } from "react";

/** The tokens of a logged-in member, and the mark by which the server knows this device again. */
export interface Session {
  access: string;
  refresh: string;
}

/** Why a session ended that its member did not end: nobody used it for the chosen time, or too many wrong PINs. */
export type Ending = "unused" | "pins";

const SESSION = "session";
const DEVICE = "device";
const ENDING = "ending";
const RENEWAL = "renewal";
/** Where a tab keeps what was written and not sent. */
export const DRAFTS = "drafts";
/** Where a tab keeps the order that it is about to pay. */
export const CHECKOUT = "checkout";
/** What stands beside a session (the lock, the time without use, notifications, a renewal on its way, …): it goes when that ends. */
const BESIDE = ["lock", "activeAt", "push", RENEWAL, DRAFTS, CHECKOUT];
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };

/** Whether the session is this tab's alone, as on a shared computer: nothing of it outlives the tab. */
export function isInThisTabAlone(): boolean {
  return sessionStorage.getItem(SESSION) !== null;
}

/** Where the session is kept, and what belongs to it. */
export function sessionStore(): Storage {
  return isInThisTabAlone() ? sessionStorage : localStorage;
}

/** The stored session; null when logged out. Other tabs' logins and logouts are seen at once. */
export function currentSession(): Session | null {
  const text = sessionStore().getItem(SESSION);
  if (text !== cached.text) cached = { text, session: text === null ? null : (JSON.parse(text) as Session) };
  return cached.session;
}

/** Keeps the tokens of a login or a refresh; for this tab alone, if the login said so. */
export function keepSession(
  tokens: Session & { device?: string | undefined },
  isForThisTab = isInThisTabAlone(),
): void {
  const store = isForThisTab ? sessionStorage : localStorage;
  store.setItem(SESSION, JSON.stringify({ access: tokens.access, refresh: tokens.refresh }));
  if (tokens.device && !isForThisTab) localStorage.setItem(DEVICE, tokens.device);
  store.removeItem(RENEWAL);
  for (const each of [localStorage, sessionStorage]) each.removeItem(ENDING);
  tellAll();
}

/**
 * Forgets the session on this device; the device's mark stays.
 *
 * NOTE: the tokens go first, since what protects them goes too: no other tab may find them without it.
 */
export function forgetSession(why: Ending | null = null): void {
  const noted = sessionStore();
  for (const store of [sessionStorage, localStorage])
    for (const item of [SESSION, ...BESIDE]) store.removeItem(item);
  if (why) noted.setItem(ENDING, why);
  tellAll();
}

/** The mark that the server gave this device at an earlier login. */
export function deviceMark(): string | null {
  return localStorage.getItem(DEVICE);
}

/**
 * The mark of the renewal of the tokens: the same until its answer is kept, so that a page that was left in between
 * leaves the next one able to ask again.
 */
export function renewalMark(): string {
  const store = sessionStore();
  const mark = store.getItem(RENEWAL) ?? crypto.randomUUID();
  store.setItem(RENEWAL, mark);
  return mark;
}

/** Whether somebody is logged in, kept up to date; `null` while the page is being prepared. */
export function useIsLoggedIn(): boolean | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => currentSession() !== null,
    () => null,
  );
}

/** Why the last session ended by itself, until the next login; null if its member ended it. */
export function useEnding(): Ending | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => (sessionStorage.getItem(ENDING) ?? localStorage.getItem(ENDING)) as Ending | null,
    () => null,
  );
}

/** Calls back at each login and logout, also of other tabs. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function tellAll(): void {
  for (const listener of listeners) listener();
}
