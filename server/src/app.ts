import { accountRoutes } from "./accounts/routes.ts";
import { discoveryRoutes } from "./discovery/routes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { membershipRoutes } from "./membership/routes.ts";
import { messagingRoutes } from "./messaging/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import type { App } from "./platform/mount.ts";
import { profileRoutes } from "./profiles/routes.ts";
import { referralRoutes } from "./referral/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { safetyRoutes } from "./safety/routes.ts";

/**
 * The table of contents: every feature, once. What follows from an act (a deletion, a block) happens in this order.
 *
 * `pair_blocked`, `member_deleted`: discovery ends the match, which waits for first messages on their way and lets no other
 * begin; only then messaging removes the conversation, which waits for the other messages; and only then notifications
 * remove what all of these wrote down of both. A deleted member's profile and pictures go after that.
 */
export function mountFeatures(app: App): void {
  discoveryRoutes(app);
  messagingRoutes(app);
  notificationRoutes(app);
  safetyRoutes(app);
  reportRoutes(app);
  membershipRoutes(app);
  referralRoutes(app);
  mediaRoutes(app);
  profileRoutes(app);
  accountRoutes(app);
}
