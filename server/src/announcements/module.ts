import type { App } from "../platform/http/router.ts";
import { exportAnnouncements, sendAnnouncement, sweepAnnouncements } from "./announcements.ts";
import { announcementKeys } from "./announcements.sql.ts";

export function registerAnnouncements({ ctx }: App): void {
  ctx.encryption.keys.addUse(announcementKeys);
  ctx.personalDataExports.add((tx, me) => exportAnnouncements(tx, me));
  ctx.jobs.handle("announcement_email", (job) => sendAnnouncement(ctx, job));
  ctx.jobs.handle("sweep_announcements", () => sweepAnnouncements(ctx));
}
