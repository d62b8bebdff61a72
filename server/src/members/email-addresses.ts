import { domainToASCII } from "node:url";
import { foldTyped } from "@alcove/contract/text-rules";
import type { Encryption } from "../platform/keys/encryption.ts";

/** For comparison: lower case, and the domain in ASCII (`xn--…`). */
function foldEmail(email: string): string {
  const folded = foldTyped(email).toLowerCase().normalize("NFC");
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + (domainToASCII(folded.slice(at)) || folded.slice(at));
}

interface Provider {
  readonly domains: readonly string[];
  readonly fold?: (name: string) => string;
}

/** Several domains of one mailbox, or several spellings of its name. */
const PROVIDERS: readonly Provider[] = [
  { domains: ["gmail.com", "googlemail.com"], fold: (name) => name.replaceAll(".", "") },
  {
    domains: ["proton.me", "protonmail.com", "pm.me", "protonmail.ch"],
    fold: (name) => name.replaceAll(/[._-]/g, ""),
  },
  { domains: ["icloud.com", "me.com", "mac.com"] },
  {
    domains: ["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz"],
    fold: (name) => name.replaceAll("-", "."),
  },
];

/** Returns the same text for all addresses of one mailbox. */
export function foldMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf("@");
  const domain = folded.slice(at + 1);
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const name = folded.slice(0, at).replace(/(?<=.)\+.*/, "");
  return `${provider?.fold?.(name) ?? name}@${provider?.domains[0] ?? domain}`;
}

export function emailDigest(encryption: Encryption, email: string): Buffer {
  return encryption.blindIndex(foldEmail(email), "email");
}

export function isSameMailbox(encryption: Encryption, one: string, other: string): boolean {
  return emailDigest(encryption, one).equals(emailDigest(encryption, other));
}

export function emailContext(memberId: number): string {
  return `members.encrypted_email:${memberId}`;
}
