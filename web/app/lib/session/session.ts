import { useSyncExternalStore } from "react";

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly device?: string | undefined;
}

export interface Session extends Tokens {
  readonly loginId: string;
}

/** Why the app ended a session: unused for the chosen time, or the last PIN was wrong. */
export type LogoutReason = "unused" | "pins";

const SESSION_KEY = "session";
const DEVICE_KEY = "device";
const LOGOUT_REASON_KEY = "ending";
const RENEWAL_KEY = "renewal";
const LOGIN_KEY = "login";
export const DRAFTS_KEY = "drafts";
export const CHECKOUT_KEY = "checkout";
/** The form of a sign-up that is not finished. */
export const SIGN_UP_KEY = "signUp";
const TAB_KEYS = [LOGIN_KEY, DRAFTS_KEY, CHECKOUT_KEY];
/** Deleted with the session. */
const SESSION_KEYS = ["lock", "activeAt", "push", RENEWAL_KEY, SIGN_UP_KEY, ...TAB_KEYS];
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };
/** The login that this page shows data of; null when the page shows no member's data. */
let pageLoginId: string | null = null;

/** The session ends with this tab, as on a shared computer. */
export function isTabOnly(): boolean {
  return sessionStorage.getItem(SESSION_KEY) !== null;
}

export function sessionStore(): Storage {
  return isTabOnly() ? sessionStorage : localStorage;
}

/** Follows other tabs at once. Another member's login counts as none until `releasePage` has run. */
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

export function releasePage(): void {
  pageLoginId = null;
  notifyListeners();
}

function claimPage(loginId: string): void {
  pageLoginId = loginId;
  if (sessionStorage.getItem(LOGIN_KEY) !== loginId) clearTabData();
  sessionStorage.setItem(LOGIN_KEY, loginId);
}

export function clearTabData(): void {
  for (const key of TAB_KEYS) sessionStorage.removeItem(key);
}

export function startSession(tokens: Tokens, isForThisTab: boolean): void {
  if (tokens.device) (isForThisTab ? sessionStorage : localStorage).setItem(DEVICE_KEY, tokens.device);
  storeSession({ ...tokens, loginId: crypto.randomUUID() }, isForThisTab);
}

export function storeSession({ access, refresh, loginId }: Session, isForThisTab = isTabOnly()): void {
  const store = isForThisTab ? sessionStorage : localStorage;
  store.setItem(SESSION_KEY, JSON.stringify({ access, refresh, login: loginId }));
  store.removeItem(RENEWAL_KEY);
  for (const each of [localStorage, sessionStorage]) each.removeItem(LOGOUT_REASON_KEY);
  notifyListeners();
}

/**
 * Keeps the device token.
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

/** The device token of the browser or, for a login in this tab only, of the tab. It never leaves the tab. */
export function deviceToken(isForThisTab: boolean): string | null {
  const ofTab = isForThisTab ? sessionStorage.getItem(DEVICE_KEY) : null;
  return ofTab ?? localStorage.getItem(DEVICE_KEY);
}

/** The id stays until the new tokens are stored, so that a reload can repeat the renewal. */
export function renewalId(): string {
  const store = sessionStore();
  const id = store.getItem(RENEWAL_KEY) ?? crypto.randomUUID();
  store.setItem(RENEWAL_KEY, id);
  return id;
}

export function useIsLoggedIn(): boolean | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => currentSession() !== null,
    () => null,
  );
}

export function useLoginId(): string | null {
  return useSyncExternalStore(subscribeToSession, currentLoginId, () => null);
}

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
