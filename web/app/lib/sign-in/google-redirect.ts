import { INVITED_BY_PREFIX } from "./google.ts";
import { inviter } from "./inviter.ts";
import { currentLanguage } from "../texts/language.ts";
import { settings } from "../page/settings.ts";

const STATE_BYTES = 32;

export function googleRedirect(path: string): { url: URL; state: string } {
  const state = createState();
  const url = new URL(settings.googleAuthUrl);
  const query = {
    client_id: settings.googleClientId,
    redirect_uri: `${location.origin}/${currentLanguage()}/${path}`,
    response_type: "token",
    scope: "openid profile email",
    prompt: "select_account",
    state,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url, state };
}

/** `invited_by__{id}.`, if the inviter is known, and a nonce. */
function createState(): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(STATE_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const invitedBy = inviter();
  return invitedBy ? `${INVITED_BY_PREFIX}${invitedBy}.${nonce}` : nonce;
}
