type Json = Record<string, unknown>;

export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Proves a passkey with the server's options. Returns null if the operator cancels. */
export async function provePasskey(options: Json): Promise<Json | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  return credential && toJson(credential);
}

/** @throws DOMException if the operator cancels, `InvalidStateError` if the device already has a passkey */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson((await navigator.credentials.create({ publicKey }))!);
}

const toJson = (credential: Credential): Json => ({ ...(credential as PublicKeyCredential).toJSON() });
