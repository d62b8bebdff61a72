/** Returns null unless the text is an http or https URL with a real host and no credentials. */
export function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.hostname.includes(".") && !url.username && !url.password ? url : null;
}
