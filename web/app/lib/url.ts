const ORIGIN = "https://app.invalid";

/** An address of this app, or null: what a query names must never lead to another site. */
export function localUrl(address: string | null): string | null {
  if (!address?.startsWith("/") || !URL.canParse(address, ORIGIN)) return null;
  const url = new URL(address, ORIGIN);
  // A path may come out as "//host/" once its dots are resolved: that is another site again.
  if (url.origin !== ORIGIN || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
