const ORIGIN = "https://app.invalid";

/** Returns a URL from a query if it leads to this app, else null. */
export function localUrl(text: string | null): string | null {
  if (!text?.startsWith("/") || !URL.canParse(text, ORIGIN)) return null;
  const url = new URL(text, ORIGIN);
  // A path with dots can resolve to "//host/", which is another site.
  if (url.origin !== ORIGIN || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
