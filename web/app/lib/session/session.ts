import { useSyncExternalStore } from "react";
import { bothStores, browserStore, parseStored, tabStore, type Store } from "../../device/stored.ts";

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly device?: string | undefined;
  /** Of a suspended member: the server rejects all calls but those of the case page. */
  readonly scope?: "case" | undefined;
}

export interface Session extends Tokens {
  readonly loginId: string;
  /** The server rejects other calls. */
  readonly isForPurchases: boolean;
  /** How often its tokens were renewed. */
  readonly renewals: number;
}

interface StoredSession extends Tokens {
  readonly login?: string;
  readonly purchases?: boolean;
  readonly renewals?: number;
}

/** Why the app ended a session: unused for the chosen time, or the last PIN was wrong. */
export type LogoutReason = "unused" | "pins";

const TAB_KEYS = ["login", "drafts", "outbox", "checkout", "plan"] as const;
/** Deleted with the session. The tokens go first: no other tab may find them without the lock that protects them. */
const SESSION_KEYS = [
  "session",
  "lock",
  "activeAt",
  "push",
  "renewal",
  "signUp",
  "reset",
  "google",
  "card",
  ...TAB_KEYS,
] as const;
const listeners = new Set<() => void>();
let cached: { text: string | null; session: Session | null } = { text: null, session: null };
/** The login that this page shows data of; null when the page shows no member's data. */
let pageLoginId: string | null = null;

/** The session ends with this tab, as on a shared computer. */
export function isTabOnly(): boolean {
  return tabStore.get("session") !== null;
}

export function sessionStore(): Store {
  return isTabOnly() ? tabStore : browserStore;
}

/** Follows other tabs at once. Another member's login counts as none until `releasePage` has run. */
export function currentSession(): Session | null {
  const text = sessionStore().get("session");
  if (text !== cached.text) cached = { text, session: parseSession(text) };
  const { session } = cached;
  if (session && pageLoginId === null) claimPage(session.loginId);
  return session && session.loginId === pageLoginId ? session : null;
}

function parseSession(text: string | null): Session | null {
  const stored = parseStored<StoredSession>(text);
  if (!stored) return null;
  const { login = "", purchases = false, renewals = 0, ...tokens } = stored;
  return { ...tokens, loginId: login, isForPurchases: purchases, renewals };
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
  if (tabStore.get("login") !== loginId) clearTabData();
  tabStore.set("login", loginId);
}

export function clearTabData(): void {
  tabStore.remove(...TAB_KEYS);
}

/** Whether this tab is logged in to buy only. It then makes no calls in the background. */
export function isForPurchases(): boolean {
  return currentSession()?.isForPurchases === true;
}

/** Whether this login shows only the case of a suspended member. */
export function isForCase(): boolean {
  return currentSession()?.scope === "case";
}

export function startSession(tokens: Tokens, isForThisTab: boolean, isForPurchases = false): void {
  if (tokens.device) (isForThisTab ? tabStore : browserStore).set("device", tokens.device);
  storeSession({ ...tokens, loginId: crypto.randomUUID(), isForPurchases, renewals: 0 }, isForThisTab);
}

export function storeSession(
  { access, refresh, scope, loginId, isForPurchases, renewals }: Session,
  isForThisTab = isTabOnly(),
): void {
  const store = isForThisTab ? tabStore : browserStore;
  store.set(
    "session",
    JSON.stringify({
      access,
      refresh,
      scope,
      login: loginId,
      purchases: isForPurchases || undefined,
      renewals,
    }),
  );
  store.remove("renewal");
  for (const each of bothStores) each.remove("ending");
  notifyListeners();
}

/** Keeps the device token. After the logout of a tab on a shared computer, no login of other tabs may appear in it. */
export function clearSession(reason: LogoutReason | null = null): void {
  const store = sessionStore();
  for (const each of bothStores) each.remove(...SESSION_KEYS);
  if (reason) store.set("ending", reason);
  notifyListeners();
}

/** The device token of the browser or, for a login in this tab only, of the tab. It never leaves the tab. */
export function deviceToken(isForThisTab: boolean): string | null {
  const ofTab = isForThisTab ? tabStore.get("device") : null;
  return ofTab ?? browserStore.get("device");
}

/** Whether a member has logged in here before, other than on a shared computer, or the app has just logged one out. */
export function useIsKnownDevice(): boolean {
  return useSyncExternalStore(
    subscribeToSession,
    () => browserStore.get("device") !== null || bothStores.some((store) => store.get("ending") !== null),
    () => false,
  );
}

/** The id stays until the new tokens are stored, so that a reload can repeat the renewal. */
export function renewalId(): string {
  const store = sessionStore();
  const id = store.get("renewal") ?? crypto.randomUUID();
  store.set("renewal", id);
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

/** Null unless the app itself ended the last session. */
export function useLogoutReason(): LogoutReason | null {
  return useSyncExternalStore(
    subscribeToSession,
    () => (tabStore.get("ending") ?? browserStore.get("ending")) as LogoutReason | null,
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
