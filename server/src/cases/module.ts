import {
  appealCase,
  contestReport as contestReportCall,
  getCase,
  getNotices,
  getReports,
  readNotices,
} from "@alcove/contract/cases";
import { getThreatEvidence, pressThreat as pressThreatCall, reportUser } from "@alcove/contract/safety";
import { hasPasskey } from "../accounts/index.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { findPasswordHash } from "../members/members.sql.ts";
import { type App, route } from "../platform/http/router.ts";
import { appeal } from "./appeals.ts";
import { caseKeys, countWaitingThreats } from "./cases.sql.ts";
import { applyDecisions } from "./decide.ts";
import { endDecisions, sendCaseEmail } from "./effects.ts";
import { readOwnEvidence } from "./evidence-file.ts";
import { evidenceKeys } from "./evidence.sql.ts";
import { considerFreeze } from "./freezes.ts";
import { deleteContactsOf, deleteNoticesOf, markNoticesRead } from "./contacts.sql.ts";
import { exportNotices, listNotices, pushNotices, sweepNotices, warnContacts } from "./fraud-notices.ts";
import { rememberLeft, sweepLeft } from "./left-accounts.ts";
import { deleteLeftWithoutKey, leftKeys } from "./left-accounts.sql.ts";
import { readAccountMarks } from "../referral/index.ts";
import { mailboxMark } from "./open-case.ts";
import { exportReports, reportMember } from "./report-member.ts";
import { listReportable, presentOwnCases } from "./present.ts";
import { contestReport, listOwnReports } from "./reporters.ts";
import { anonymizeReporter } from "./reports.sql.ts";
import {
  comparePayer,
  comparePictures,
  compareSuspended,
  forgetUnlessSuspended,
  openReturned,
  rememberSuspended,
  sweepMarks,
} from "./returned.ts";
import { deleteMarksOf } from "./returned.sql.ts";
import { pressThreat } from "./threats.ts";
import { deleteCasesWithoutKey, deleteStandingOf, sweepCases } from "./retention.ts";

export function registerCases(app: App): void {
  const { ctx } = app;
  route(app, reportUser, ({ me, input }) => reportMember(ctx, me, input));
  route(app, pressThreatCall, ({ me, input }) => pressThreat(ctx, me, input));
  route(app, getThreatEvidence, async ({ me, input }) => ({
    file: await readOwnEvidence(ctx, me, Number(input.number)),
  }));
  route(app, getReports, async ({ me }) => ({ reports: await listOwnReports(ctx, me) }));
  route(app, contestReportCall, ({ me, input }) => contestReport(ctx, me, input));
  route(app, getCase, async ({ me, lang }) => {
    const cases = await presentOwnCases(ctx, me, lang);
    const has_password = (await findPasswordHash(ctx.db, me.memberId)) !== null;
    const has_passkey = await hasPasskey(ctx.db, me.memberId);
    const account = { user_id: me.userId, has_password, has_passkey };
    const reportable = me.isSuspended ? await listReportable(ctx, me) : { chats: [], ended: [] };
    return { case: cases[0] ?? null, cases, account, ...reportable };
  });
  route(app, getNotices, async ({ me, lang }) => ({ notices: await listNotices(ctx, me, lang) }));
  route(app, readNotices, ({ me }) => markNoticesRead(ctx.db, me.memberId));
  route(app, appealCase, ({ me, input }) => appeal(ctx, me, input.text));

  ctx.metrics.addGauges(
    { alcove_threats_waiting: "Threats that no operator has looked at; unknown without a database." },
    async () => ({ alcove_threats_waiting: await countWaitingThreats(ctx.db).catch(() => Number.NaN) }),
  );
  ctx.personalDataExports.add((tx, me) => exportReports(tx, ctx, me));
  ctx.personalDataExports.add((tx, me) => exportNotices(tx, ctx, me));
  pushNotices(ctx);
  ctx.domainEvents.on("pictures_added", (tx, added) => ctx.jobs.add(tx, "compare_pictures", added));
  ctx.domainEvents.on("email_changed", (tx, { memberId }) =>
    ctx.jobs.add(tx, "compare_pictures", { memberId, mediaIds: [] }),
  );
  ctx.domainEvents.on("member_suspended", async (tx, { memberId }) => {
    const email = (await findIdentifiers({ ...ctx, db: tx }, memberId))?.email;
    const paypal = await readAccountMarks({ ...ctx, db: tx }, memberId);
    await rememberSuspended(tx, ctx, memberId, { mailbox: email ? mailboxMark(ctx, email) : null, paypal });
  });
  ctx.domainEvents.on("order_paid", (tx, order) => comparePayer(tx, ctx, order));
  ctx.domainEvents.on("member_restored", (tx, { memberId }) => deleteMarksOf(tx, memberId));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId, userId }) => {
    await rememberLeft(tx, ctx, memberId, userId);
    await anonymizeReporter(tx, memberId);
    await deleteStandingOf(tx, memberId);
    await forgetUnlessSuspended(tx, memberId);
    await deleteContactsOf(tx, memberId);
    await deleteNoticesOf(tx, memberId);
  });
  ctx.encryption.keys.addUse(caseKeys);
  ctx.encryption.keys.addUse(evidenceKeys);
  ctx.encryption.keys.addUse(leftKeys);
  ctx.domainEvents.on("database_restored", async (tx) => {
    await deleteCasesWithoutKey(tx);
    await deleteLeftWithoutKey(tx);
  });
  ctx.jobs.handle("warn_contacts", ({ caseNo, kind }) => warnContacts(ctx, caseNo, kind));
  ctx.jobs.handle("case_email", (job) => sendCaseEmail(ctx, job));
  ctx.jobs.handle("apply_decisions", async () => {
    await applyDecisions(ctx);
    await endDecisions(ctx);
  });
  ctx.jobs.handle("consider_freeze", ({ memberId }) => considerFreeze(ctx, memberId));
  ctx.jobs.handle("compare_pictures", ({ memberId, mediaIds }) => comparePictures(ctx, memberId, mediaIds));
  ctx.jobs.handle("open_returned", ({ memberId, similarTo }) => openReturned(ctx, memberId, similarTo));
  ctx.jobs.handle("compare_suspended", ({ memberId }) => compareSuspended(ctx, memberId));
  ctx.jobs.handle("sweep_cases", async () => {
    await sweepCases(ctx);
    await sweepMarks(ctx);
    await sweepLeft(ctx);
    await sweepNotices(ctx);
  });
}
