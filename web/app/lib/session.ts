import { useSyncExternalStore } from "react";

/** The tokens of a logged-in member, and the mark by which the server knows this device again. */
export interface Session {
  access: string;
  refresh: string;
}

const SESSION = "session";
const DEVICE = "device";
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };

/** The stored session; null when logged out. Other tabs' logins and logouts are seen at once. */
export function currentSession(): Session | null {
  const text = localStorage.getItem(SESSION);
  if (text !== cached.text) cached = { text, session: text === null ? null : (JSON.parse(text) as Session) };
  return cached.session;
}

/** Keeps the tokens of a login or a refresh. */
export function keepSession(tokens: Session & { device?: string | undefined }): void {
  localStorage.setItem(SESSION, JSON.stringify({ access: tokens.access, refresh: tokens.refresh }));
  if (tokens.device) localStorage.setItem(DEVICE, tokens.device);
  tellAll();
}

/** Forgets the session on this device; the device's mark stays. */
export function forgetSession(): void {
  localStorage.removeItem(SESSION);
  tellAll();
}

/** The mark that the server gave this device at an earlier login. */
export function deviceMark(): string | null {
  return localStorage.getItem(DEVICE);
}

/** Whether somebody is logged in, kept up to date; `null` while the page is being prepared. */
export function useIsLoggedIn(): boolean | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => currentSession() !== null,
    () => null,
  );
}

/** Calls back at each login and logout, also of other tabs. */
function subscribeToSession(listener: () => void): () => void {
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
