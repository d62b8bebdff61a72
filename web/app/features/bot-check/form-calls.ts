export { api, staticPageRoutes } from "../../lib/api/calls.ts";
export { botToken } from "./bot-check.ts";
