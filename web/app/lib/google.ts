import { USER_ID } from "@alcove/contract/limits";
import { device } from "../device/browser.ts";
import { useIsHydrated } from "./use-is-hydrated.ts";
import { inviter, rememberInviter } from "./inviter.ts";
import { currentLanguage } from "./language.ts";
import { settings } from "./settings.ts";
import { tabStore } from "../device/stored.ts";

export type GoogleIntent =
  | { purpose: "login"; next: string; isShared: boolean }
  | { purpose: "sign-up"; agreedToSensitive: boolean };
type Purpose = GoogleIntent["purpose"];
type IntentFor<P extends Purpose> = Extract<GoogleIntent, { purpose: P }>;

/** Google's response. Both fields are null if this tab did not request it. */
interface GoogleResult<P extends Purpose> {
  token: string | null;
  intent: IntentFor<P> | null;
}

const STATE_BYTES = 32;
const INVITED_BY_PREFIX = "invited_by__";
const REDIRECT_PATHS: Record<Purpose, string> = {
  login: "oauth-callback/login",
  "sign-up": "sign-up",
};

/** Google rejects embedded browsers, so the native wrapper does not offer it. */
export function useIsGoogleAvailable(): boolean {
  return useIsHydrated() && settings.googleClientId !== "" && !device.isNative();
}

/** Google returns the token in the URL's fragment. */
export function redirectToGoogle(intent: GoogleIntent): void {
  const state = createState();
  tabStore.set("google", JSON.stringify({ state, intent }));
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

/** `invited_by__{id}.`, if the inviter is known, and a nonce. */
function createState(): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(STATE_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const invitedBy = inviter();
  return invitedBy && USER_ID.pattern.test(invitedBy) ? `${INVITED_BY_PREFIX}${invitedBy}.${nonce}` : nonce;
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
  return stored === null ? null : (JSON.parse(stored) as { state: string; intent: GoogleIntent });
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
