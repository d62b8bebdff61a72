import { registerAccounts } from "./accounts/module.ts";
import { registerDiscovery } from "./discovery/module.ts";
import { registerMedia } from "./media/module.ts";
import { registerMembership } from "./membership/module.ts";
import { registerMessaging } from "./messaging/module.ts";
import { registerNotifications } from "./notifications/module.ts";
import type { App } from "./platform/http/router.ts";
import { registerProfiles } from "./profiles/module.ts";
import { registerReferral } from "./referral/module.ts";
import { registerReports } from "./reports/module.ts";
import { registerSafety } from "./safety/module.ts";

/**
 * The table of contents: every feature, once. What follows from an act (a deletion, a block) happens in this order.
 *
 * `pair_blocked`, `member_deleted`: discovery ends the match, which waits for first messages on their way and lets no other
 * begin; only then messaging removes the conversation, which waits for the other messages; and only then notifications
 * remove what all of these wrote down of both. A deleted member's profile and pictures go after that.
 */
export function registerFeatures(app: App): void {
  registerDiscovery(app);
  registerMessaging(app);
  registerNotifications(app);
  registerSafety(app);
  registerReports(app);
  registerMembership(app);
  registerReferral(app);
  registerMedia(app);
  registerProfiles(app);
  registerAccounts(app);
}
