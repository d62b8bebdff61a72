import { localUrl } from "../../lib/page/url.ts";

/** Written into the native projects too (`mobile/`). */
const SCHEME = /^[a-z][a-z0-9.]*:\/\/open\//;

/**
 * Returns path and query of a URL with which the system opened the app, or null for a URL of no page of the service.
 * The login of the browser is no page of the app. Both an `https` link to the server and `{app id}://open/{path}` name a page.
 */
export function pageOfAppUrl(text: string, origin: string): string | null {
  const path = text.startsWith(`${origin}/`) ? text.slice(origin.length) : text.replace(SCHEME, "/");
  const page = localUrl(path);
  if (page === null) return null;
  const compared = decoded(page)?.toLowerCase();
  return compared !== undefined &&
    /^\/(?:en|ja|zh-hans|zh-hant)(?:[/?#]|$)/.test(compared) &&
    !/\/(?:api\/|app-login)/.test(compared)
    ? page
    : null;
}

/** The router decodes a path too. */
function decoded(page: string): string | undefined {
  try {
    return decodeURIComponent(page);
  } catch {
    return undefined;
  }
}
