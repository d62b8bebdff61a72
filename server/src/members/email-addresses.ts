import { domainToASCII } from "node:url";
import type { Encryption } from "../platform/keys/encryption.ts";

/** For comparison: lower case, and the domain in ASCII (`xn--…`). */
export function foldEmail(email: string): string {
  const folded = email.trim().normalize("NFC").toLowerCase().normalize("NFC");
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + (domainToASCII(folded.slice(at)) || folded.slice(at));
}

export function emailDigest(encryption: Encryption, email: string): Buffer {
  return encryption.blindIndex(foldEmail(email), "email");
}

export function emailContext(memberId: number): string {
  return `members.encrypted_email:${memberId}`;
}
