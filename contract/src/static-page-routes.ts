import type { routes } from "./routes.ts";
import { staticPageRouteTable } from "./static-page-route-table.ts";

export const staticPageRoutes: Pick<typeof routes, keyof typeof staticPageRouteTable> = staticPageRouteTable;
