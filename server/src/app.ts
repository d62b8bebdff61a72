import { accountRoutes } from "./accounts/routes.ts";
import { discoveryRoutes } from "./discovery/routes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { membershipRoutes } from "./membership/routes.ts";
import { messagingRoutes } from "./messaging/routes.ts";
import type { App } from "./platform/mount.ts";
import { profileRoutes } from "./profiles/routes.ts";
import { safetyRoutes } from "./safety/routes.ts";

/**
 * The table of contents: every feature, once. What follows from an act (a deletion, a block) happens in this order.
 *
 * `member_deleted`: messaging and discovery let go of the member first, its profile and pictures after them.
 */
export function mountFeatures(app: App): void {
  messagingRoutes(app);
  discoveryRoutes(app);
  safetyRoutes(app);
  membershipRoutes(app);
  mediaRoutes(app);
  profileRoutes(app);
  accountRoutes(app);
}
