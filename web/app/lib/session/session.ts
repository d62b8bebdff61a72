import { useSyncExternalStore } from "react";

/** The tokens that the server returns at a login and at each renewal; `device` only at a login. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly device?: string | undefined;
}

export interface Session extends Tokens {
  /** Identifies one login across its renewals. */
  readonly loginId: string;
}

/** Why the app ended a session: it was unused for the chosen time, or the last PIN was wrong. */
export type LogoutReason = "unused" | "pins";

const SESSION_KEY = "session";
const DEVICE_KEY = "device";
const LOGOUT_REASON_KEY = "ending";
const RENEWAL_KEY = "renewal";
/** The login that this tab's data belongs to. */
const LOGIN_KEY = "login";
export const DRAFTS_KEY = "drafts";
export const CHECKOUT_KEY = "checkout";
/** Data of a session that one tab keeps. */
const TAB_KEYS = [LOGIN_KEY, DRAFTS_KEY, CHECKOUT_KEY];
/** Data that is deleted with its session. */
const SESSION_KEYS = ["lock", "activeAt", "push", RENEWAL_KEY, ...TAB_KEYS];
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };
/** The login that this page shows data of; null when the page shows no member's data. */
let pageLoginId: string | null = null;

/** Returns whether the session ends with this tab, as on a shared computer. */
export function isTabOnly(): boolean {
  return sessionStorage.getItem(SESSION_KEY) !== null;
}

/** Returns the storage of the session and its data. */
export function sessionStore(): Storage {
  return isTabOnly() ? sessionStorage : localStorage;
}

/**
 * Returns the stored session, or null when logged out.
 *
 * Logins and logouts of other tabs take effect at once, except a login of another member: it counts as none until
 * `releasePage` has run.
 */
export function currentSession(): Session | null {
  const text = sessionStore().getItem(SESSION_KEY);
  if (text !== cached.text) cached = { text, session: text === null ? null : parseSession(text) };
  const { session } = cached;
  if (session && pageLoginId === null) claimPage(session.loginId);
  return session && session.loginId === pageLoginId ? session : null;
}

function parseSession(text: string): Session {
  const { login = "", ...tokens } = JSON.parse(text) as Tokens & { login?: string };
  return { ...tokens, loginId: login };
}

export function currentLoginId(): string | null {
  return currentSession()?.loginId ?? null;
}

/** Marks the page as free of any member's data, so that another member can use it. */
export function releasePage(): void {
  pageLoginId = null;
  notifyListeners();
}

function claimPage(loginId: string): void {
  pageLoginId = loginId;
  if (sessionStorage.getItem(LOGIN_KEY) !== loginId) clearTabData();
  sessionStorage.setItem(LOGIN_KEY, loginId);
}

/** Deletes this tab's data of a session that ended elsewhere. */
export function clearTabData(): void {
  for (const key of TAB_KEYS) sessionStorage.removeItem(key);
}

export function startSession(tokens: Tokens, isForThisTab: boolean): void {
  if (tokens.device && !isForThisTab) localStorage.setItem(DEVICE_KEY, tokens.device);
  storeSession({ ...tokens, loginId: crypto.randomUUID() }, isForThisTab);
}

/** Stores the tokens of a login or a renewal. */
export function storeSession({ access, refresh, loginId }: Session, isForThisTab = isTabOnly()): void {
  const store = isForThisTab ? sessionStorage : localStorage;
  store.setItem(SESSION_KEY, JSON.stringify({ access, refresh, login: loginId }));
  store.removeItem(RENEWAL_KEY);
  for (const each of [localStorage, sessionStorage]) each.removeItem(LOGOUT_REASON_KEY);
  notifyListeners();
}

/**
 * Deletes the session from this device and keeps the device token.
 *
 * NOTE: the tokens go first. No other tab may find them without the lock that protects them.
 */
export function clearSession(reason: LogoutReason | null = null): void {
  const store = sessionStore();
  for (const each of [sessionStorage, localStorage])
    for (const key of [SESSION_KEY, ...SESSION_KEYS]) each.removeItem(key);
  if (reason) store.setItem(LOGOUT_REASON_KEY, reason);
  notifyListeners();
}

/** Returns the token with which the server recognises this device at a login. */
export function deviceToken(): string | null {
  return localStorage.getItem(DEVICE_KEY);
}

/** Returns the id of the pending renewal. It stays until the new tokens are stored, so that a reload can repeat it. */
export function renewalId(): string {
  const store = sessionStore();
  const id = store.getItem(RENEWAL_KEY) ?? crypto.randomUUID();
  store.setItem(RENEWAL_KEY, id);
  return id;
}

/** Returns whether a member is logged in; null until the page is hydrated. */
export function useIsLoggedIn(): boolean | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => currentSession() !== null,
    () => null,
  );
}

/** Returns the current login's id; null when logged out and until the page is hydrated. */
export function useLoginId(): string | null {
  return useSyncExternalStore(subscribeToSession, currentLoginId, () => null);
}

/** Returns why the app ended the last session, until the next login; null if the member ended it. */
export function useLogoutReason(): LogoutReason | null {
  return useSyncExternalStore(
    subscribeToSession,
    () =>
      (sessionStorage.getItem(LOGOUT_REASON_KEY) ??
        localStorage.getItem(LOGOUT_REASON_KEY)) as LogoutReason | null,
    () => null,
  );
}

/** Calls back at each login and logout in any tab, and when a page returns from the back-forward cache. */
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

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
