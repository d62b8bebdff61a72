import { accountRoutes } from "./accounts/module.ts";
import { discoveryRoutes } from "./discovery/module.ts";
import { mediaRoutes } from "./media/module.ts";
import { membershipRoutes } from "./membership/module.ts";
import { messagingRoutes } from "./messaging/module.ts";
import { notificationRoutes } from "./notifications/module.ts";
import type { App } from "./platform/http/router.ts";
import { profileRoutes } from "./profiles/module.ts";
import { referralRoutes } from "./referral/module.ts";
import { reportRoutes } from "./reports/module.ts";
import { safetyRoutes } from "./safety/module.ts";

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
