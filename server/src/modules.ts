import { registerAccounts } from "./accounts/module.ts";
import { registerAnnouncements } from "./announcements/module.ts";
import { registerCases } from "./cases/module.ts";
import { registerConsole } from "./operator/module.ts";
import { registerDiscovery } from "./discovery/module.ts";
import { registerLooks } from "./looks/module.ts";
import { registerMailboxes } from "./mailboxes/module.ts";
import { registerMedia } from "./media/module.ts";
import { registerMembership } from "./membership/module.ts";
import { registerMessaging } from "./messaging/module.ts";
import { registerModeration } from "./moderation/module.ts";
import { registerNotes } from "./notes/module.ts";
import { registerNotices } from "./notices/module.ts";
import { registerNotifications } from "./notifications/module.ts";
import type { App } from "./platform/http/router.ts";
import { registerProfiles } from "./profiles/module.ts";
import { registerReferral } from "./referral/module.ts";
import { registerSafety } from "./safety/module.ts";
import { registerStatistics } from "./statistics/module.ts";
import { registerSupport } from "./support/module.ts";
import { registerTransparency } from "./transparency/module.ts";

/**
 * Registration orders the handlers of domain events. `pair_blocked` and `member_deleted` depend on it: discovery ends
 * the match, which prevents new messages. Then messaging deletes the conversation, then notifications delete what both
 * wrote.
 */
export function registerFeatures(app: App): void {
  registerDiscovery(app);
  registerMessaging(app);
  const { findLocalTime } = registerNotifications(app);
  const { isHidden } = registerSafety(app);
  registerCases(app);
  registerModeration(app);
  registerMembership(app, findLocalTime);
  registerReferral(app);
  registerMedia(app, isHidden);
  registerProfiles(app);
  registerNotes(app);
  registerAccounts(app, findLocalTime);
  registerMailboxes(app);
  registerLooks(app);
  registerNotices(app);
  registerTransparency(app);
  registerSupport(app);
  registerAnnouncements(app);
  registerStatistics(app);
  registerConsole(app);
}
