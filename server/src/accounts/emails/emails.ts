import { randomUUID } from "node:crypto";
import { CODE_LIFE_MINUTES } from "@alcove/contract/limits";
import { languageOf, type Language } from "@alcove/i18n";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { translator } from "../../platform/i18n.ts";
import { codeOfLetter, openRound } from "../codes/codes.ts";
import type { Purpose } from "../codes/codes.sql.ts";
import { emailContext, emailDigest } from "./email.ts";
import { drawLetter } from "./email-template.ts";
import { findMailing, findNoByEmail } from "../members.sql.ts";
import type { CodeLetterJob, PasswordLetterJob } from "../events.ts";

/** Nobody waits longer for a code; the job gives up instead of surprising somebody tomorrow. */
export const WORTH_SENDING_MS = 30 * MINUTE_MS;

const context = (purpose: Purpose, letterId: string): string => `jobs.${purpose}_letter:${letterId}`;

/** Queues the letter of a first step. All that depends on whether the address has an account happens in the job. */
export async function queueCodeLetter(
  tx: Tx,
  ctx: AppContext,
  purpose: Purpose,
  wish: { email: string; language: Language; agreedToSensitive?: boolean },
): Promise<void> {
  const letterId = randomUUID();
  await ctx.jobs.add(tx, `${purpose}_letter`, {
    letterId,
    to: ctx.encryption.encrypt(wish.email, context(purpose, letterId)).toString("base64"),
    language: wish.language,
    askedAt: ctx.clock.now().toISOString(),
    agreedToSensitive: wish.agreedToSensitive ?? false,
  });
}

/**
 * Opens the round of guessing and sends its code: to sign up, to an address without an account; to set a password, to
 * one that has an account. Anybody else's letter says why there is no code in it.
 */
export async function sendCodeLetter(ctx: AppContext, purpose: Purpose, job: CodeLetterJob): Promise<void> {
  const askedAt = new Date(job.askedAt);
  if (ctx.clock.now().getTime() - askedAt.getTime() > WORTH_SENDING_MS) return;

  const to = ctx.encryption.decrypt(Buffer.from(job.to, "base64"), context(purpose, job.letterId));
  const hasAccount = (await findNoByEmail(ctx.db, emailDigest(ctx.encryption, to))) !== undefined;
  const getsCode = purpose === "sign_up" ? !hasAccount : hasAccount;
  const code = getsCode ? codeOfLetter(ctx.secrets, job.letterId) : null;
  const sensitiveAgreedAt = job.agreedToSensitive ? askedAt : null;
  const isNewest = await openRound(ctx, purpose, { email: to, code, askedAt, sensitiveAgreedAt });
  if (!isNewest) return;

  const t = translator(job.language, "emails");
  const life = t("codeLife", { minutes: String(CODE_LIFE_MINUTES) });
  const withCode = {
    sign_up: [t("codeIntro"), life, t("ignore")],
    reset_password: [t("codeIntro"), t("resetCodeUse"), life, t("ignore")],
  };
  const without = {
    sign_up: [t("accountExists"), t("accountExistsNext"), t("ignore")],
    reset_password: [t("noAccount"), t("noAccountNext"), t("ignore")],
  };
  const paragraphs = (code === null ? without : withCode)[purpose];
  const subject = t("subject", { brand: ctx.config.brandName });
  await send(ctx, { to, id: job.letterId, language: job.language, subject, paragraphs, code });
  const isOnlyForUs = ctx.config.smtpUrl === null && ctx.config.isLoopback;
  if (isOnlyForUs && code) ctx.log.info({ code }, "a letter with this code is in the outbox");
}

/** Where letters to a member go, and the language it reads; null when it has no address or is gone. */
export async function mailingOf(
  ctx: AppContext,
  memberId: number,
): Promise<{ to: string; language: string; isActive: boolean } | null> {
  const member = await findMailing(ctx.db, memberId);
  if (!member?.encrypted_email) return null;
  const { encrypted_email, language, standing } = member;
  return {
    to: ctx.encryption.decrypt(encrypted_email, emailContext(memberId)),
    language,
    isActive: standing === "active",
  };
}

/** Queues the letter that tells a member of its new password, so that a thief's change is noticed. */
export async function queuePasswordLetter(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  await ctx.jobs.add(tx, "password_changed_letter", { letterId: randomUUID(), memberId });
}

/** Tells a member in its own language that its password was changed. Whoever was deleted meanwhile gets nothing. */
export async function sendPasswordLetter(
  ctx: AppContext,
  { letterId, memberId }: PasswordLetterJob,
): Promise<void> {
  const mailing = await mailingOf(ctx, memberId);
  if (!mailing) return;
  const { to } = mailing;
  const language = languageOf(mailing.language);
  const t = translator(language, "emails");
  const paragraphs = [t("passwordChanged"), t("passwordChangedNext", { support: ctx.config.supportEmail })];
  const subject = t("accountSubject", { brand: ctx.config.brandName });
  await send(ctx, { to, id: letterId, language, subject, paragraphs, code: null });
}

async function send(
  ctx: AppContext,
  letter: {
    to: string;
    id: string;
    language: Language;
    subject: string;
    paragraphs: readonly string[];
    code: string | null;
  },
): Promise<void> {
  const { to, id, subject, ...page } = letter;
  const { text, html } = drawLetter({ ...page, brand: ctx.config.brandName });
  await ctx.mail.send({ to, messageId: id, subject, text, html });
}
