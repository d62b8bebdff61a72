/** An address of this app, or null: what a query names must never lead to another site. */
export function localAddress(address: string | null): string | null {
  if (!address?.startsWith("/") || !URL.canParse(address, "https://app.invalid")) return null;
  const url = new URL(address, "https://app.invalid");
  return url.host === "app.invalid" ? `${url.pathname}${url.search}${url.hash}` : null;
}
