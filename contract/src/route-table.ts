import { routesOf, staticPageRouteTable } from "./static-page-route-table.ts";

/** The calls of a first load and of static pages, which carry no schemas. */
export const routeTable = {
  ...staticPageRouteTable,
  ...routesOf({
    logIn: { method: "POST", path: "/api/token/", access: "visitor" },
    logInWithCode: { method: "POST", path: "/api/token/code", access: "visitor" },
    getOwnUser: { method: "GET", path: "/users/api/user", access: "member" },
    getWsTicket: { method: "POST", path: "/api/ws-ticket", access: "member" },
    saveLocation: { method: "PATCH", path: "/users/api/user", access: "member" },
    getOptions: { method: "GET", path: "/users/api/get-options", access: "member" },
    likeUser: { method: "POST", path: "/users/api/like", access: "member" },
    passUser: { method: "POST", path: "/users/api/unlike", access: "member" },
    undoPass: { method: "POST", path: "/users/api/undo-pass", access: "member" },
    blockUser: { method: "POST", path: "/users/api/block", access: "member" },
    reportUser: { method: "POST", path: "/users/api/report", access: "member" },
    getDms: { method: "GET", path: "/dm/api/dm", access: "member" },
    sendDm: { method: "POST", path: "/dm/api/dm", access: "member" },
    readDm: {
      method: "POST",
      path: "/dm/api/read",
      access: "member",
      keepalive: true,
    },
    muteConversation: { method: "PATCH", path: "/dm/api/mute", access: "member" },
    unsendDm: { method: "DELETE", path: "/dm/api/dm", access: "member" },
    sawNews: { method: "POST", path: "/users/api/saw-news", access: "member" },
  }),
};
