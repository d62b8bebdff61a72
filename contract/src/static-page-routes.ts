import type { routes } from "./routes.ts";
import { staticPageRouteTable } from "./static-page-route-table.ts";

/** For code that static pages share with the app. */
export const staticPageRoutes: Pick<typeof routes, keyof typeof staticPageRouteTable> = staticPageRouteTable;
