import { useSyncExternalStore } from "react";

/** What the server gives at a login and at each renewal; at a login with the mark by which it knows this device again. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly device?: string | undefined;
}

/** The tokens of a logged-in member. */
export interface Session extends Tokens {
  /** Of which login they are, whatever renewals came since: who logs in next has another. */
  readonly login: string;
}

/** Why a session ended that its member did not end: nobody used it for the chosen time, or too many wrong PINs. */
export type Ending = "unused" | "pins";

const SESSION = "session";
const DEVICE = "device";
const ENDING = "ending";
const RENEWAL = "renewal";
/** Of which login the tab has kept something. */
const LOGIN = "login";
/** Where a tab keeps what was written and not sent. */
export const DRAFTS = "drafts";
/** Where a tab keeps the order that it is about to pay. */
export const CHECKOUT = "checkout";
/** What a tab keeps beside a session. */
const IN_TAB = [LOGIN, DRAFTS, CHECKOUT];
/** What stands beside a session (the lock, the time without use, notifications, a renewal on its way, …): it goes when that ends. */
const BESIDE = ["lock", "activeAt", "push", RENEWAL, ...IN_TAB];
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };
/** The login that this page belongs to: what it shows and does is that member's. Null while it is nobody's. */
let ownLogin: string | null = null;

/** Whether the session is this tab's alone, as on a shared computer: nothing of it outlives the tab. */
export function isInThisTabAlone(): boolean {
  return sessionStorage.getItem(SESSION) !== null;
}

/** Where the session is kept, and what belongs to it. */
export function sessionStore(): Storage {
  return isInThisTabAlone() ? sessionStorage : localStorage;
}

/**
 * The stored session; null when logged out. Other tabs' logouts are seen at once, and their logins too, but for one of
 * somebody else: it counts as none until this page has let go of whom it belongs to (`letGo`).
 */
export function currentSession(): Session | null {
  const text = sessionStore().getItem(SESSION);
  if (text !== cached.text) cached = { text, session: text === null ? null : read(text) };
  const { session } = cached;
  if (session && ownLogin === null) takeOver(session.login);
  return session && session.login === ownLogin ? session : null;
}

/** NOTE: a session of before logins were told apart says nothing of its own. */
function read(text: string): Session {
  return { login: "", ...(JSON.parse(text) as Tokens) };
}

/** Of which login the page is; null when logged out. */
export function currentLogin(): string | null {
  return currentSession()?.login ?? null;
}

/** Nothing of a member is left in this page: from now on it may be another's. */
export function letGo(): void {
  ownLogin = null;
  tellAll();
}

function takeOver(login: string): void {
  ownLogin = login;
  if (sessionStorage.getItem(LOGIN) !== login) forgetTab();
  sessionStorage.setItem(LOGIN, login);
}

/** What the tab has kept beside a session goes: that one has ended where the tab could not hear of it. */
export function forgetTab(): void {
  for (const item of IN_TAB) sessionStorage.removeItem(item);
}

/** Begins the session of a login; for this tab alone, if the login said so. */
export function beginSession(tokens: Tokens, isForThisTab: boolean): void {
  if (tokens.device && !isForThisTab) localStorage.setItem(DEVICE, tokens.device);
  keepSession({ ...tokens, login: crypto.randomUUID() }, isForThisTab);
}

/** Keeps the tokens of a renewal. */
export function keepSession({ access, refresh, login }: Session, isForThisTab = isInThisTabAlone()): void {
  const store = isForThisTab ? sessionStorage : localStorage;
  store.setItem(SESSION, JSON.stringify({ access, refresh, login } satisfies Session));
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

/** Of which login the page is, kept up to date; null when logged out, and while the page is being prepared. */
export function useLogin(): string | null {
  return useSyncExternalStore(subscribeToSession, currentLogin, () => null);
}

/** Why the last session ended by itself, until the next login; null if its member ended it. */
export function useEnding(): Ending | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => (sessionStorage.getItem(ENDING) ?? localStorage.getItem(ENDING)) as Ending | null,
    () => null,
  );
}

/** Calls back at each login and logout, also of other tabs; a page that was put aside meanwhile once it is taken out. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  addEventListener("pageshow", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
    removeEventListener("pageshow", listener);
  };
}

function tellAll(): void {
  for (const listener of listeners) listener();
}
