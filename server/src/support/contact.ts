import { randomUUID } from "node:crypto";
import type { ParsedOf } from "@alcove/contract";
import type { contactSupport } from "@alcove/contract/contact";
import { RETENTION } from "@alcove/contract/retention";
import type { Language } from "@alcove/i18n";
import { passesBotCheck } from "../accounts/index.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";
import { networkOf } from "../platform/security/client-network.ts";
import type { ContactEmailJob } from "./events.ts";

const QUESTIONS_PER_NETWORK = { name: "questions_per_network", max: 5, windowMs: HOUR_MS };
/** Counts all writers, so that a botnet cannot fill the mailbox. */
const QUESTIONS = { name: "questions", max: 100, windowMs: HOUR_MS };

const EXPIRY_MS = RETENTION.questionDays * DAY_MS;

interface Question {
  readonly email: string;
  readonly message: string;
}

const questionContext = (emailId: string): string => `jobs.contact_email:${emailId}`;

/** Until the email is sent, the job keeps it encrypted. */
export async function contact(
  ctx: AppContext,
  { email, message, recaptchaToken }: ParsedOf<typeof contactSupport>,
  language: Language,
  ip: string,
): Promise<void> {
  const isHuman = await passesBotCheck(ctx, "Contact", recaptchaToken, ip);
  if (!isHuman) throw validationError({ recaptcha_token: "bot_check_failed" });
  const emailId = randomUUID();
  const question: Question = { email, message };
  const keyId = await ctx.encryption.keys.daily();
  const encrypted = await ctx.encryption.encrypt(keyId, JSON.stringify(question), questionContext(emailId));
  await ctx.db.transaction().execute(async (tx) => {
    await ctx.rateLimits.consume(QUESTIONS_PER_NETWORK, networkOf(ip), tx);
    await ctx.rateLimits.consume(QUESTIONS, "all", tx);
    await ctx.jobs.add(tx, "contact_email", {
      emailId,
      question: encrypted.toString("base64"),
      language,
      requestedAt: floorTo(ctx.clock.now(), HOUR_MS).toISOString(),
    });
  });
  ctx.log.info("queued a question to the support address");
}

/** The writer is no sender, because our mail server may not send for their domain. */
export async function sendContactEmail(ctx: AppContext, job: ContactEmailJob): Promise<void> {
  const { emailId, language } = job;
  if (ctx.clock.now().getTime() - new Date(job.requestedAt).getTime() > EXPIRY_MS) {
    ctx.log.error("a question could not be sent to the support address for two days");
    return;
  }
  const text = await ctx.encryption.decrypt(Buffer.from(job.question, "base64"), questionContext(emailId));
  const { email, message } = JSON.parse(text) as Question;
  await ctx.mailer.send({
    to: ctx.config.supportEmail,
    replyTo: email,
    subject: `${ctx.config.brandName}: question (${language})`,
    text: `${message}\n\n--\n${email}\n`,
    messageId: emailId,
  });
}
