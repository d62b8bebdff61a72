import { device } from "../../device/browser.ts";
import { useIsHydrated } from "../first-paint/use-is-hydrated.ts";
import { rememberInviter } from "./inviter.ts";
import { settings } from "../page/settings.ts";
import { parseStored, tabStore } from "../../device/stored.ts";

export type GoogleIntent = { purpose: "login"; next: string; isShared: boolean } | { purpose: "sign-up" };
type Purpose = GoogleIntent["purpose"];
type IntentFor<P extends Purpose> = Extract<GoogleIntent, { purpose: P }>;

/** Google's response. Both fields are null if this tab did not request it. */
interface GoogleResult<P extends Purpose> {
  token: string | null;
  intent: IntentFor<P> | null;
}

export const INVITED_BY_PREFIX = "invited_by__";
const REDIRECT_PATHS: Record<Purpose, string> = {
  login: "oauth-callback/login",
  "sign-up": "sign-up",
};

/** A built page serves services with and without Google. Google rejects embedded browsers, so the native wrapper has none. */
export function useOffersGoogle(): boolean {
  return !useIsHydrated() || (settings.googleClientId !== "" && !device.isNative());
}

/** Google returns the token in the URL's fragment. */
export function redirectToGoogle(intent: GoogleIntent): void {
  void startRedirect(intent);
}

async function startRedirect(intent: GoogleIntent): Promise<void> {
  const { googleRedirect } = await import("./google-redirect.ts");
  const { url, state } = googleRedirect(REDIRECT_PATHS[intent.purpose]);
  tabStore.set("google", JSON.stringify({ state, intent }));
  location.assign(url);
}

let result: { token: string | null; intent: GoogleIntent | null } | null = null;

/**
 * Moves Google's response out of the URL and the history. It is valid once, in the tab that requested it, with the same
 * state.
 */
export function captureGoogleResult(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has("access_token") && !(fragment.has("error") && fragment.has("state"))) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  const stored = takeStoredIntent();
  const isOurs = stored !== null && fragment.get("state") === stored.state;
  result = isOurs
    ? { token: fragment.get("access_token"), intent: stored.intent }
    : { token: null, intent: null };
  const [, invitedBy] = (isOurs && new RegExp(`^${INVITED_BY_PREFIX}(.+)\\.`).exec(stored.state)) || [];
  if (invitedBy) rememberInviter(invitedBy);
}

function takeStoredIntent(): { state: string; intent: GoogleIntent } | null {
  const stored = tabStore.get("google");
  tabStore.remove("google");
  return parseStored<{ state: string; intent: GoogleIntent }>(stored);
}

function resultFor<P extends Purpose>(purpose: P): GoogleResult<P> | null {
  if (!result) return null;
  const { token, intent } = result;
  return intent && isIntentFor(purpose, intent) ? { token, intent } : { token: null, intent: null };
}

function isIntentFor<P extends Purpose>(purpose: P, intent: GoogleIntent): intent is IntentFor<P> {
  return intent.purpose === purpose;
}

export function hasGoogleResult(purpose: Purpose): boolean {
  return (resultFor(purpose)?.token ?? null) !== null;
}

/** Returns a response once; null when the visitor did not come from Google. */
export function takeGoogleResult<P extends Purpose>(purpose: P): GoogleResult<P> | null {
  const taken = resultFor(purpose);
  result = null;
  return taken;
}
