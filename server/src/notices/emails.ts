import { randomUUID } from "node:crypto";
import { renderEmail } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import { translator } from "../platform/i18n.ts";
import type { NoticeEmailJob } from "./events.ts";
import { hoursOf, readNotifier } from "./notices.ts";
import * as rows from "./notices.sql.ts";

export async function answerNotices(ctx: AppContext): Promise<void> {
  for (const { case_no: caseNo, state } of await rows.readUnanswered(ctx.db)) {
    const isFinal = state === "appealed";
    await ctx.db.transaction().execute(async (tx) => {
      if (!(await rows.setState(tx, caseNo, { from: state, to: isFinal ? "final" : "answered" }))) return;
      const kind = isFinal ? "final" : "answer";
      await ctx.jobs.add(tx, "notice_email", { emailId: randomUUID(), caseNo, kind });
    });
  }
}

/** NOTE: no email depends on the decision, or on the found accounts. */
export async function sendNoticeEmail(
  ctx: AppContext,
  { emailId, caseNo, kind }: NoticeEmailJob,
): Promise<void> {
  const notice = await rows.readNotice(ctx.db, caseNo);
  if (!notice) return;
  const { email, language } = await readNotifier(ctx, notice);
  const { brandName: brand, supportEmail: replyTo } = ctx.config;
  const t = translator(language, "emails");
  const number = String(caseNo);
  const hours = String(hoursOf(notice.kind));
  const paragraphs = {
    receipt: [t("noticeReceived", { number }), t("noticeTime", { hours }), t("noticeKeep")],
    answer: [
      t("noticeDecided", { number }),
      t("noticeOutcome"),
      t("noticePerson", { number }),
      t("noticeAppeal"),
    ],
    final: [t("noticeFinal", { number }), t("noticeOutcome"), t("noticePerson", { number })],
  }[kind];
  const subject = t("noticeSubject", { brand, number });
  const { text, html } = renderEmail({ language, brand, paragraphs, code: null });
  await ctx.mailer.send({ to: email, replyTo, messageId: emailId, subject, text, html });
}
