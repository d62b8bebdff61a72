import { USER_ID } from "@alcove/contract/limits";
import { device } from "../device/browser.ts";
import { useIsHydrated } from "./use-is-hydrated.ts";
import { inviter, rememberInviter } from "./inviter.ts";
import { currentLanguage } from "./language.ts";
import { settings } from "./settings.ts";

/** For what somebody goes to Google, and what has to be known when they come back. */
export type GoogleIntent =
  | { purpose: "login"; next: string; isShared: boolean }
  | { purpose: "sign-up"; agreedToSensitive: boolean };
type Purpose = GoogleIntent["purpose"];
type IntentFor<P extends Purpose> = Extract<GoogleIntent, { purpose: P }>;

/** What Google's answer comes to: a token, or none that may be used; and the errand, where it is one of ours. */
interface GoogleResult<P extends Purpose> {
  token: string | null;
  intent: IntentFor<P> | null;
}

const INTENT_KEY = "google";
const STATE_BYTES = 32;
const INVITED_BY = "invited_by__";
const REDIRECT_PATHS: Record<Purpose, string> = {
  login: "oauth-callback/login",
  "sign-up": "sign-up",
};

/** Whether this page may offer Google: it is configured, and this is a browser, which Google asks for. */
export function useIsGoogleAvailable(): boolean {
  return useIsHydrated() && settings.googleClientId !== "" && !device.isNative();
}

/** Leaves for Google's account chooser. Google sends the browser back with a token in the address's fragment. */
export function redirectToGoogle(intent: GoogleIntent): void {
  const state = makeState();
  sessionStorage.setItem(INTENT_KEY, JSON.stringify({ state, intent }));
  const url = new URL(settings.googleAuthUrl);
  const query = {
    client_id: settings.googleClientId,
    redirect_uri: `${location.origin}/${currentLanguage()}/${REDIRECT_PATHS[intent.purpose]}`,
    response_type: "token",
    scope: "openid profile email",
    prompt: "select_account",
    state,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

/** `invited_by__{id}.` where an inviter is known, and what nobody can guess. */
function makeState(): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(STATE_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const invitedBy = inviter();
  return invitedBy && USER_ID.pattern.test(invitedBy) ? `${INVITED_BY}${invitedBy}.${nonce}` : nonce;
}

let result: { token: string | null; intent: GoogleIntent | null } | null = null;

/**
 * Takes Google's answer out of the address and the history, before anything else looks at either.
 *
 * An answer counts only if we asked for it: in this tab, with this state, and for the first time.
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
  const [, invitedBy] = (isOurs && new RegExp(`^${INVITED_BY}(.+)\\.`).exec(stored.state)) || [];
  if (invitedBy) rememberInviter(invitedBy);
}

function takeStoredIntent(): { state: string; intent: GoogleIntent } | null {
  const stored = sessionStorage.getItem(INTENT_KEY);
  sessionStorage.removeItem(INTENT_KEY);
  return stored === null ? null : (JSON.parse(stored) as { state: string; intent: GoogleIntent });
}

/** Google's answer to an errand; null when nobody came from Google. */
function resultFor<P extends Purpose>(purpose: P): GoogleResult<P> | null {
  if (!result) return null;
  const { token, intent } = result;
  return intent && isIntentFor(purpose, intent) ? { token, intent } : { token: null, intent: null };
}

function isIntentFor<P extends Purpose>(purpose: P, intent: GoogleIntent): intent is IntentFor<P> {
  return intent.purpose === purpose;
}

/** Whether Google has sent somebody back with a token for this errand that nobody has taken. */
export function hasGoogleResult(purpose: Purpose): boolean {
  return (resultFor(purpose)?.token ?? null) !== null;
}

/** Google's answer to an errand, once; null when nobody came from Google. */
export function takeGoogleResult<P extends Purpose>(purpose: P): GoogleResult<P> | null {
  const taken = resultFor(purpose);
  result = null;
  return taken;
}
