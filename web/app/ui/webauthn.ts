/** Structures of WebAuthn, as the server sends and takes them. */
export type Json = Record<string, unknown>;

export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** A browser has one request at a time. An offer waits among suggestions, and a person asked for the others. */
let waiting: { abort: AbortController; isOffer: boolean } | null = null;

/** Proves a passkey with the server's options. Returns null if the person cancels. */
export async function provePasskey(options: Json): Promise<Json | null> {
  return request(options, false);
}

/**
 * Offers passkeys among the suggestions of a field with `autocomplete="webauthn"`. Returns null without a choice, and in
 * browsers without such suggestions.
 */
export async function offerPasskeys(loadOptions: () => Promise<Json>): Promise<Json | null> {
  const canOffer = (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
  if (!canOffer) return null;
  const options = await loadOptions();
  // The person was faster than the options, and asked.
  return waiting?.isOffer === false ? null : request(options, true);
}

async function request(options: Json, isOffer: boolean): Promise<Json | null> {
  waiting?.abort.abort();
  const abort = new AbortController();
  const own = { abort, isOffer };
  waiting = own;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials
    .get({ publicKey, signal: abort.signal, ...(isOffer && { mediation: "conditional" as const }) })
    .catch(() => null);
  if (waiting === own) waiting = null;
  return credential && toJson(credential);
}

/** @throws DOMException if the person cancels, `InvalidStateError` if the device already has a passkey */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson((await navigator.credentials.create({ publicKey }))!);
}

const toJson = (credential: Credential): Json => ({ ...(credential as PublicKeyCredential).toJSON() });
