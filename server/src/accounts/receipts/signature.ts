import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from "node:crypto";
import type { Secrets } from "../../platform/keys/secrets.ts";

/** Before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const LINE = /^(?<text>.+) (?<signature>[A-Za-z0-9+/]{86}==)$/;

/** Follows from the pepper, which never changes, so that old receipts stay valid. */
function privateKey({ pepper }: Secrets): KeyObject {
  const seed = Buffer.from(hkdfSync("sha256", pepper, "", "alcove deletion receipts", 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
}

/** In PEM. */
export function publicKeyOf(secrets: Secrets): string {
  return createPublicKey(privateKey(secrets)).export({ format: "pem", type: "spki" }) as string;
}

export function signLine(secrets: Secrets, text: string): string {
  return `${text} ${sign(null, Buffer.from(text), privateKey(secrets)).toString("base64")}`;
}

/** Returns the signed text, or null for another or changed line. */
export function openLine(secrets: Secrets, line: string): string | null {
  const { text, signature } = LINE.exec(line.trim())?.groups ?? {};
  if (text === undefined || signature === undefined) return null;
  const key = createPublicKey(privateKey(secrets));
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64")) ? text : null;
}
