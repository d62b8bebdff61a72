export { staticPageRoutes } from "@alcove/contract/static-page-routes";
export { api } from "./api.ts";
export { sendCall } from "./send-call.ts";
