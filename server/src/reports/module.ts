import { reportUser } from "@alcove/contract/safety";
import { route, type App } from "../platform/http/router.ts";
import { exportReports, reportMember, sweepReports } from "./reports.ts";
import { deleteReportsAbout, deleteReportsWithoutKey, anonymizeReporter, reportKeys } from "./reports.sql.ts";

export function registerReports(app: App): void {
  const { ctx } = app;
  route(app, reportUser, ({ me, input }) => reportMember(ctx, me, input));

  ctx.personalDataExports.add((tx, me) => exportReports(tx, ctx, me));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await ctx.encryption.keys.destroy(tx, await deleteReportsAbout(tx, memberId));
    await anonymizeReporter(tx, memberId);
  });
  ctx.encryption.keys.addUse(reportKeys);
  ctx.domainEvents.on("database_restored", (tx) => deleteReportsWithoutKey(tx));
  ctx.jobs.handle("sweep_reports", () => sweepReports(ctx));
}
