import { domainToASCII } from "node:url";
import type { Encryption } from "../../platform/security/encryption.ts";

/**
 * One form of an address, however it is written: addresses are told apart without regard to case, and a domain of other
 * letters is the one that stands for it in the net (`xn--…`), where its mail goes.
 */
export function foldEmail(email: string): string {
  const folded = email.trim().normalize("NFC").toLowerCase().normalize("NFC");
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + (domainToASCII(folded.slice(at)) || folded.slice(at));
}

/** Under which an address is found again without being stored. */
export function emailDigest(encryption: Encryption, email: string): Buffer {
  return encryption.blindIndex(foldEmail(email), "email");
}

/** The context under which a member's address is sealed. */
export function emailContext(memberId: number): string {
  return `members.encrypted_email:${memberId}`;
}
