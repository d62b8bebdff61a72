import { randomUUID } from "node:crypto";
import { CODE_LIFE_MINUTES } from "@alcove/contract/limits";
import { languageOf, type Language } from "@alcove/i18n";
import { floorTo, MINUTE_MS } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { translator } from "../../platform/i18n.ts";
import { codeOfEmail, storeChallenge } from "../codes/codes.ts";
import { nextRequestNo, type Purpose } from "../codes/codes.sql.ts";
import { emailContext, emailDigest } from "../../members/email-addresses.ts";
import { isMailboxFull } from "../../members/former-accounts.ts";
import { renderEmail } from "./email-template.ts";
import { areLoginsStopped, findAddress, findEmailAndLanguage } from "../../members/members.sql.ts";
import type { CodeEmailJob, FixedEmailJob, PasswordChangedEmailJob } from "../events.ts";

/** A code that arrives later is useless, so the job stops retrying. */
export const CODE_EMAIL_EXPIRY_MS = 30 * MINUTE_MS;

const JOBS = {
  sign_up: "sign_up_email",
  reset_password: "reset_password_email",
  change_email: "change_email_email",
} as const satisfies Record<Purpose, string>;

const addressContext = (purpose: Purpose, emailId: string): string => `jobs.${JOBS[purpose]}:${emailId}`;

/** Only the job depends on whether the address has an account. Response and timing stay the same. */
export async function queueCodeEmail(
  tx: Tx,
  ctx: AppContext,
  purpose: Purpose,
  email: Omit<CodeEmailJob, "emailId" | "to" | "requestedAt" | "requestNo"> & { to: string },
): Promise<void> {
  const emailId = randomUUID();
  const { to, ...rest } = email;
  const keyId = await ctx.encryption.keys.daily();
  const encryptedTo = await ctx.encryption.encrypt(keyId, to, addressContext(purpose, emailId));
  await ctx.jobs.add(tx, JOBS[purpose], {
    emailId,
    to: encryptedTo.toString("base64"),
    requestedAt: floorTo(ctx.clock.now(), MINUTE_MS).toISOString(),
    requestNo: await nextRequestNo(tx),
    ...rest,
  });
}

/** Only known addresses get a reset code, only new ones the codes of other purposes. Others get an explanation. */
export async function sendCodeEmail(ctx: AppContext, purpose: Purpose, job: CodeEmailJob): Promise<void> {
  const requestedAt = new Date(job.requestedAt);
  if (ctx.clock.now().getTime() - requestedAt.getTime() > CODE_EMAIL_EXPIRY_MS) return;

  const to = await ctx.encryption.decrypt(
    Buffer.from(job.to, "base64"),
    addressContext(purpose, job.emailId),
  );
  const isReset = purpose === "reset_password";
  const known = await findAddress(ctx.db, emailDigest(ctx.encryption, to));
  const isOwnHeld = known?.is_held === true && known.member_no === job.memberId;
  const hasAccount = known !== undefined && !(isReset ? known.is_held : isOwnHeld);
  const isFull = !isReset && !isOwnHeld && (await isMailboxFull(ctx, to));
  const isStopped = isReset && hasAccount && (await areLoginsStopped(ctx.db, known.member_no));
  const getsCode = !job.isSilent && (isReset ? hasAccount && !isStopped : !hasAccount && !isFull);
  const code = getsCode ? codeOfEmail(ctx.secrets, job.emailId, job.hasLetters) : null;
  const isNewest = await storeChallenge(ctx, purpose, {
    email: to,
    code,
    memberId: job.memberId,
    requester: job.requester,
    isSilent: job.isSilent,
    requestNo: job.requestNo,
    agreed: job.agreed && { ...job.agreed, at: job.requestedAt },
  });
  if (!isNewest || job.isSilent) return;

  const member = hasAccount ? await findEmailAndLanguage(ctx.db, known.member_no) : undefined;
  const language = member ? languageOf(member.language) : job.language;
  const t = translator(language, "emails");
  const expiry = t("codeLife", { minutes: String(CODE_LIFE_MINUTES) });
  const newAddress = [t("codeIntro"), expiry, t("ignore")];
  const withCode = {
    sign_up: newAddress,
    change_email: newAddress,
    reset_password: [t("codeIntro"), t("resetCodeUse"), expiry, t("ignore")],
  };
  const notNew = hasAccount
    ? [t("accountExists"), t("accountExistsNext"), t("ignore")]
    : [t("mailboxFull"), t("mailboxFullNext"), t("ignore")];
  const withoutCode = {
    sign_up: notNew,
    change_email: notNew,
    reset_password: isStopped
      ? [t("resetStopped"), t("resetStoppedNext"), t("ignore")]
      : [t("noAccount"), t("noAccountNext"), t("ignore")],
  };
  const paragraphs = (code === null ? withoutCode : withCode)[purpose];
  const brand = ctx.config.brandName;
  const subject = code === null ? t("subject", { brand }) : t("codeSubject", { brand, code });
  await send(ctx, { to, id: job.emailId, language, subject, paragraphs, code });
  const isLocal = ctx.config.smtpUrl === null && ctx.config.isLoopback;
  if (isLocal && code) ctx.log.info({ code }, "wrote an email with this code to the outbox");
}

export async function findRecipient(
  ctx: AppContext,
  memberId: number,
): Promise<{ to: string; language: string; isActive: boolean } | null> {
  const member = await findEmailAndLanguage(ctx.db, memberId);
  if (!member?.encrypted_email) return null;
  const { encrypted_email, language, account_status } = member;
  return {
    to: await ctx.encryption.decrypt(encrypted_email, emailContext(memberId)),
    language,
    isActive: account_status === "active",
  };
}

export async function queuePasswordChangedEmail(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  await ctx.jobs.add(tx, "password_changed_email", { emailId: randomUUID(), memberId });
}

export async function sendPasswordChangedEmail(ctx: AppContext, job: PasswordChangedEmailJob): Promise<void> {
  await sendMemberEmail(ctx, job, (t) => [
    t("passwordChanged"),
    t("passwordChangedNext", { support: ctx.config.supportEmail }),
  ]);
}

export type FindLocalTime = (
  db: Db,
  memberId: number,
  at: Date,
) => Promise<{ readonly timeZone: string | null; readonly quietUntil: Date | null }>;

/** Members without an address get no email. */
export async function sendMemberEmail(
  ctx: AppContext,
  { emailId, memberId }: { emailId: string; memberId: number },
  paragraphsIn: (t: ReturnType<typeof translator<"emails">>, language: Language) => string[],
  { onlyIfActive = false, replyTo }: { onlyIfActive?: boolean; replyTo?: string } = {},
): Promise<void> {
  const recipient = await findRecipient(ctx, memberId);
  if (!recipient || (onlyIfActive && !recipient.isActive)) return;
  const { to } = recipient;
  const language = languageOf(recipient.language);
  const t = translator(language, "emails");
  const subject = t("accountSubject", { brand: ctx.config.brandName });
  const paragraphs = paragraphsIn(t, language);
  await send(ctx, { to, replyTo, id: emailId, language, subject, paragraphs, code: null });
}

interface FixedEmail {
  readonly to: string;
  readonly language: Language;
  readonly paragraphs: readonly string[];
}

const fixedContext = (emailId: string): string => `jobs.fixed_email:${emailId}`;

/** Fixes address and text, for an email after the member's deletion. Null without an address. */
export async function fixMemberEmail(
  ctx: AppContext,
  memberId: number,
  paragraphsIn: (t: ReturnType<typeof translator<"emails">>, language: Language) => string[],
): Promise<FixedEmailJob | null> {
  const recipient = await findRecipient(ctx, memberId);
  return recipient && fixEmailTo(ctx, recipient, paragraphsIn);
}

export async function fixEmailTo(
  ctx: AppContext,
  recipient: { to: string; language: string },
  paragraphsIn: (t: ReturnType<typeof translator<"emails">>, language: Language) => string[],
): Promise<FixedEmailJob> {
  const language = languageOf(recipient.language);
  const paragraphs = paragraphsIn(translator(language, "emails"), language);
  return fixEmail(ctx, { to: recipient.to, language, paragraphs });
}

/** For an address that no account holds. */
export async function fixEmail(ctx: AppContext, email: FixedEmail): Promise<FixedEmailJob> {
  const emailId = randomUUID();
  const keyId = await ctx.encryption.keys.daily();
  const encrypted = await ctx.encryption.encrypt(keyId, JSON.stringify(email), fixedContext(emailId));
  return { emailId, email: encrypted.toString("base64") };
}

export async function sendFixedEmail(ctx: AppContext, { emailId, email }: FixedEmailJob): Promise<void> {
  const text = await ctx.encryption.decrypt(Buffer.from(email, "base64"), fixedContext(emailId));
  const { to, language, paragraphs } = JSON.parse(text) as FixedEmail;
  const subject = translator(language, "emails")("accountSubject", { brand: ctx.config.brandName });
  await send(ctx, { to, id: emailId, language, subject, paragraphs, code: null });
}

async function send(
  ctx: AppContext,
  email: {
    to: string;
    replyTo?: string | undefined;
    id: string;
    language: Language;
    subject: string;
    paragraphs: readonly string[];
    code: string | null;
  },
): Promise<void> {
  const { to, replyTo, id, subject, ...content } = email;
  const { text, html } = renderEmail({ ...content, brand: ctx.config.brandName });
  await ctx.mailer.send({ to, messageId: id, subject, text, html, ...(replyTo && { replyTo }) });
}

export function shownDay(day: string): string {
  return `${day.replaceAll("-", "/")} (UTC)`;
}
