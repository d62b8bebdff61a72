import { domainToASCII } from "node:url";
import { disposableEmailBlocklistSet } from "disposable-email-domains-js";

const DOMAINS = disposableEmailBlocklistSet();

export function isDisposable(email: string): boolean {
  const labels = domainToASCII(email.slice(email.lastIndexOf("@") + 1)).split(".");
  return labels.some((_, first) => DOMAINS.has(labels.slice(first).join(".")));
}
