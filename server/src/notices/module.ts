import { sendNotice } from "@alcove/contract/notices";
import { type App, routePublic } from "../platform/http/router.ts";
import { answerNotices, sendNoticeEmail } from "./emails.ts";
import { proveNotifier, receiveNotice, sweepNotices } from "./notices.ts";
import { countOverdue, deleteHitsOf, deleteNoticesWithoutKey, noticeKeys } from "./notices.sql.ts";
import { searchNotice } from "./search.ts";

export function registerNotices(app: App): void {
  const { ctx } = app;
  routePublic<typeof sendNotice, true>(
    app,
    sendNotice,
    ({ input, lang, ip, proof }) =>
      receiveNotice(ctx, input, { language: lang, ip, isProven: proof === true }),
    { prove: ({ valid, ip }) => proveNotifier(ctx, valid, ip) },
  );

  ctx.metrics.addGauges(
    { alcove_notices_overdue: "Open notices whose time is over; unknown without a database." },
    async () => ({
      alcove_notices_overdue: await countOverdue(ctx.db, ctx.clock.now()).catch(() => Number.NaN),
    }),
  );
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteHitsOf(tx, memberId));
  ctx.domainEvents.on("database_restored", (tx) => deleteNoticesWithoutKey(tx));
  ctx.encryption.keys.addUse(noticeKeys);
  ctx.jobs.handle("notice_email", (job) => sendNoticeEmail(ctx, job));
  ctx.jobs.handle("search_notice", ({ caseNo }) => searchNotice(ctx, caseNo));
  ctx.jobs.handle("answer_notices", () => answerNotices(ctx));
  ctx.jobs.handle("sweep_notices", () => sweepNotices(ctx));
}
