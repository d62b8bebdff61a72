/** Reads an address of the web: http or https, a real host, no credentials in it. Null for anything else. */
export function webAddressOf(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.hostname.includes(".") && !url.username && !url.password ? url : null;
}
