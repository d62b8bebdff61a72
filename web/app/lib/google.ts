import { USER_ID } from "@alcove/contract/limits";
import { device } from "../device/browser.ts";
import { useIsInBrowser } from "./use-is-hydrated.ts";
import { inviter, rememberInviter } from "./inviter.ts";
import { currentLanguage } from "./language.ts";
import { settings } from "./settings.ts";

/** For what somebody goes to Google, and what has to be known when they come back. */
export type GoogleErrand =
  | { purpose: "login"; next: string; isShared: boolean }
  | { purpose: "sign-up"; agreedToSensitive: boolean };
type Purpose = GoogleErrand["purpose"];
type ErrandOf<P extends Purpose> = Extract<GoogleErrand, { purpose: P }>;

/** What Google's answer comes to: a token, or none that may be used; and the errand, where it is one of ours. */
interface GoogleReturn<P extends Purpose> {
  token: string | null;
  errand: ErrandOf<P> | null;
}

const ERRAND = "google";
const STATE_BYTES = 32;
const INVITED_BY = "invited_by__";
const BACK: Record<Purpose, string> = {
  login: "oauth-callback/login",
  "sign-up": "sign-up",
};

/** Whether this page may offer Google: it is configured, and this is a browser, which Google asks for. */
export function useHasGoogle(): boolean {
  return useIsInBrowser() && settings.googleClientId !== "" && !device.isNative();
}

/** Leaves for Google's account chooser. Google sends the browser back with a token in the address's fragment. */
export function goToGoogle(errand: GoogleErrand): void {
  const state = makeState();
  sessionStorage.setItem(ERRAND, JSON.stringify({ state, errand }));
  const address = new URL(settings.googleAuthUrl);
  const asking = {
    client_id: settings.googleClientId,
    redirect_uri: `${location.origin}/${currentLanguage()}/${BACK[errand.purpose]}`,
    response_type: "token",
    scope: "openid profile email",
    prompt: "select_account",
    state,
  };
  for (const [name, value] of Object.entries(asking)) address.searchParams.set(name, value);
  location.assign(address);
}

/** `invited_by__{id}.` where an inviter is known, and what nobody can guess. */
function makeState(): string {
  const mark = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(STATE_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const invitedBy = inviter();
  return invitedBy && USER_ID.pattern.test(invitedBy) ? `${INVITED_BY}${invitedBy}.${mark}` : mark;
}

let caught: { token: string | null; errand: GoogleErrand | null } | null = null;

/**
 * Takes Google's answer out of the address and the history, before anything else looks at either.
 *
 * An answer counts only if we asked for it: in this tab, with this state, and for the first time.
 */
export function catchGoogleReturn(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has("access_token") && !(fragment.has("error") && fragment.has("state"))) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  const kept = takeErrand();
  const isOurs = kept !== null && fragment.get("state") === kept.state;
  caught = isOurs
    ? { token: fragment.get("access_token"), errand: kept.errand }
    : { token: null, errand: null };
  const [, invitedBy] = (isOurs && new RegExp(`^${INVITED_BY}(.+)\\.`).exec(kept.state)) || [];
  if (invitedBy) rememberInviter(invitedBy);
}

function takeErrand(): { state: string; errand: GoogleErrand } | null {
  const kept = sessionStorage.getItem(ERRAND);
  sessionStorage.removeItem(ERRAND);
  return kept === null ? null : (JSON.parse(kept) as { state: string; errand: GoogleErrand });
}

/** Google's answer to an errand; null when nobody came from Google. */
function returnFor<P extends Purpose>(purpose: P): GoogleReturn<P> | null {
  if (!caught) return null;
  const { token, errand } = caught;
  return errand && isFor(purpose, errand) ? { token, errand } : { token: null, errand: null };
}

function isFor<P extends Purpose>(purpose: P, errand: GoogleErrand): errand is ErrandOf<P> {
  return errand.purpose === purpose;
}

/** Whether Google has sent somebody back with a token for this errand that nobody has taken. */
export function hasGoogleReturn(purpose: Purpose): boolean {
  return (returnFor(purpose)?.token ?? null) !== null;
}

/** Google's answer to an errand, once; null when nobody came from Google. */
export function takeGoogleReturn<P extends Purpose>(purpose: P): GoogleReturn<P> | null {
  const answer = returnFor(purpose);
  caught = null;
  return answer;
}
