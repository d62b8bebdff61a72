import { domainToASCII } from "node:url";
import { foldTyped } from "@alcove/contract/text-rules";
import type { Encryption } from "../platform/keys/encryption.ts";

/** For comparison: lower case, and the domain in ASCII (`xn--…`). */
function foldEmail(email: string): string {
  const folded = foldTyped(email).toLowerCase().normalize("NFC");
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + (domainToASCII(folded.slice(at)) || folded.slice(at));
}

/** Several domains of one mailbox, or characters of its name that do not count. */
const PROVIDERS: readonly { domains: readonly string[]; ignored?: RegExp }[] = [
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  { domains: ["proton.me", "protonmail.com", "pm.me", "protonmail.ch"], ignored: /[._-]/g },
  { domains: ["icloud.com", "me.com", "mac.com"] },
  { domains: ["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz"] },
];

/** Returns the same text for all addresses of one mailbox. */
export function foldMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf("@");
  const domain = folded.slice(at + 1);
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const name = folded.slice(0, at).replace(/(?<=.)\+.*/, "");
  return `${provider?.ignored ? name.replaceAll(provider.ignored, "") : name}@${provider?.domains[0] ?? domain}`;
}

export function emailDigest(encryption: Encryption, email: string): Buffer {
  return encryption.blindIndex(foldEmail(email), "email");
}

export function emailContext(memberId: number): string {
  return `members.encrypted_email:${memberId}`;
}
