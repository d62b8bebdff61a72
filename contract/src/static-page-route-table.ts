import type { Route } from "./call.ts";

export function routesOf<
  const T extends Record<string, Pick<Route, "method" | "path" | "access"> & Partial<Route>>,
>(table: T) {
  const routes = Object.entries(table).map(([name, route]): [string, Route] => [
    name,
    { name, keepalive: false, ...route },
  ]);
  return Object.fromEntries(routes) as { readonly [N in keyof T]: Route };
}

/** The calls of static pages. Each byte counts there, so they have their own file. */
export const staticPageRouteTable = routesOf({
  refreshTokens: { method: "POST", path: "/api/token/refresh/", access: "visitor" },
  logOut: { method: "DELETE", path: "/users/api/logout", access: "visitor" },
  getLastDms: { method: "GET", path: "/dm/api/last-dms", access: "member" },
  botChallenge: { method: "GET", path: "/api/bot-challenge", access: "visitor" },
  contactSupport: { method: "POST", path: "/api/contact", access: "visitor" },
  endLetters: { method: "POST", path: "/unsubscribe", access: "visitor" },
});
