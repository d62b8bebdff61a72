export { api, staticPageRoutes } from "../../lib/calls.ts";
export { botToken } from "./bot-check.ts";
