import { hkdfSync } from "node:crypto";
import { decrypt, DecryptionError, encrypt, importKey } from "./cipher.ts";
import type { Secrets } from "./secrets.ts";

const NO_HEAD = Buffer.alloc(0);

/** Encrypts a value for the outside. A given `nonce` must not repeat for another value. */
export function sealToken(secrets: Secrets, value: Uint8Array, purpose: string, nonce?: Buffer): string {
  return encrypt(keyOf(secrets, purpose), NO_HEAD, value, purpose, nonce).toString("base64url");
}

export function openToken(secrets: Secrets, token: string, purpose: string): Buffer | null {
  const sealed = Buffer.from(token, "base64url");
  if (sealed.toString("base64url") !== token) return null; // a second spelling of the same bytes
  try {
    return decrypt(keyOf(secrets, purpose), 0, sealed, purpose);
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

function keyOf({ token }: Secrets, purpose: string) {
  return importKey(Buffer.from(hkdfSync("sha256", token, "", `alcove ${purpose}`, 32)));
}
