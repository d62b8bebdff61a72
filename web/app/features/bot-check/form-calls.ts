export { routes } from "@alcove/contract/routes";
export { botToken } from "./bot-check.ts";
export { api } from "../../lib/api.ts";
