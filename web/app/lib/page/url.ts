import { parseUrl } from "@alcove/contract/web-url";

const ORIGIN = "https://app.invalid";

/** Returns null for a URL that leads to another site. */
export function localUrl(text: string | null): string | null {
  const url = text?.startsWith("/") ? parseUrl(text, ORIGIN) : null;
  // A path with dots can resolve to "//host/", which is another site.
  if (url?.origin !== ORIGIN || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
