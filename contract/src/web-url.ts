/** Returns null unless the text is an http or https URL with a real host and no credentials. */
export function parseWebUrl(text: string): URL | null {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.hostname.includes(".") && !url.username && !url.password ? url : null;
}

/** `URL.parse` and `URL.canParse` are missing in supported browsers. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
