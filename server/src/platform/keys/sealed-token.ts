import { hkdfSync } from "node:crypto";
import { decrypt, DecryptionError, encrypt, importKey } from "./cipher.ts";
import type { Secrets } from "./secrets.ts";

const NO_HEAD = Buffer.alloc(0);

/** The token is stored nowhere and never expires. */
export function sealToken(secrets: Secrets, value: string, purpose: string): string {
  return encrypt(keyOf(secrets, purpose), NO_HEAD, Buffer.from(value), purpose).toString("base64url");
}

export function openToken(secrets: Secrets, token: string, purpose: string): string | null {
  try {
    return decrypt(keyOf(secrets, purpose), 0, Buffer.from(token, "base64url"), purpose).toString();
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

function keyOf({ token }: Secrets, purpose: string) {
  return importKey(Buffer.from(hkdfSync("sha256", token, "", `alcove ${purpose}`, 32)));
}
