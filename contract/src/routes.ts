import type * as accounts from "./accounts.ts";
import type { RouteOf } from "./call.ts";
import type * as contact from "./contact.ts";
import type * as discovery from "./discovery.ts";
import type * as messaging from "./messaging.ts";
import type * as notifications from "./notifications.ts";
import { routeTable } from "./route-table.ts";
import type * as safety from "./safety.ts";

type Definitions = typeof accounts &
  typeof contact &
  typeof discovery &
  typeof messaging &
  typeof notifications &
  typeof safety;

export const routes: { readonly [N in keyof typeof routeTable]: RouteOf<Definitions[N]> } = routeTable;
