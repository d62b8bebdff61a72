import { reportUser } from "@alcove/contract/safety";
import { mount, type App } from "../platform/http/router.ts";
import { exportReports, report, sweepReports } from "./reports.ts";
import { deleteReportsAbout, forgetReporter } from "./reports.sql.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    sweep_reports: unknown;
  }
}

/** Mounts reports, and follows deletions on both sides. */
export function reportRoutes(app: App): void {
  const { deps } = app;
  mount(app, reportUser, ({ me, input }) => report(deps, me, input), { limit: "reports" });

  deps.exports.add((tx, me) => exportReports(tx, deps, me));
  deps.consequences.when("member_deleted", async (tx, { no }) => {
    await deleteReportsAbout(tx, no);
    await forgetReporter(tx, no);
  });
  deps.jobs.handleEvery("41 4 * * *", "sweep_reports", () => sweepReports(deps));
}
