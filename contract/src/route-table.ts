import type { Route } from "./call.ts";

/** Adds the name and the defaults. */
function routesOf<const T extends Record<string, Pick<Route, "method" | "path" | "access"> & Partial<Route>>>(
  table: T,
) {
  const routes = Object.entries(table).map(([name, route]): [string, Route] => [
    name,
    { name, allowOverSocket: false, keepalive: false, ...route },
  ]);
  return Object.fromEntries(routes) as { readonly [N in keyof T]: Route };
}

/** The calls of a first load and of static pages, which carry no schemas. */
export const routeTable = routesOf({
  logIn: { method: "POST", path: "/api/token/", access: "visitor" },
  refreshTokens: { method: "POST", path: "/api/token/refresh/", access: "visitor" },
  logInWithCode: { method: "POST", path: "/api/token/code", access: "visitor" },
  logOut: { method: "DELETE", path: "/users/api/logout", access: "visitor" },
  getOwnUser: { method: "GET", path: "/users/api/user", access: "member" },
  getWsTicket: { method: "POST", path: "/api/ws-ticket", access: "member" },
  saveLocation: { method: "PATCH", path: "/users/api/user", access: "member" },
  getOptions: { method: "GET", path: "/users/api/get-options", access: "member" },
  likeUser: { method: "POST", path: "/users/api/like", access: "member" },
  passUser: { method: "POST", path: "/users/api/unlike", access: "member" },
  undoPass: { method: "POST", path: "/users/api/undo-pass", access: "member" },
  blockUser: { method: "POST", path: "/users/api/block", access: "member" },
  reportUser: { method: "POST", path: "/users/api/report", access: "member" },
  getLastDms: { method: "GET", path: "/dm/api/last-dms", access: "member" },
  getDms: { method: "GET", path: "/dm/api/dm", access: "member" },
  sendDm: { method: "POST", path: "/dm/api/dm", access: "member", allowOverSocket: true },
  readDm: { method: "POST", path: "/dm/api/read", access: "member", allowOverSocket: true, keepalive: true },
  muteConversation: { method: "PATCH", path: "/dm/api/mute", access: "member" },
  unsendDm: { method: "DELETE", path: "/dm/api/dm", access: "member" },
  botChallenge: { method: "GET", path: "/api/bot-challenge", access: "visitor" },
  contactSupport: { method: "POST", path: "/api/contact", access: "visitor" },
  endLetters: { method: "POST", path: "/unsubscribe", access: "visitor" },
  sawNews: { method: "POST", path: "/users/api/saw-news", access: "member" },
});
