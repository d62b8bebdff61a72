import { domainToASCII } from "node:url";
import { disposableEmailBlocklistSet } from "disposable-email-domains-js";

const DOMAINS = disposableEmailBlocklistSet();

/** Whether an address belongs to a service of throwaway addresses, by a list that stands here; subdomains too. */
export function isDisposable(email: string): boolean {
  const labels = domainToASCII(email.slice(email.lastIndexOf("@") + 1)).split(".");
  return labels.some((_, first) => DOMAINS.has(labels.slice(first).join(".")));
}
