import { randomUUID } from "node:crypto";
import { CODE_LIFE_MINUTES } from "@alcove/contract/limits";
import { languageOf, type Language } from "@alcove/i18n";
import { MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { translator } from "../platform/language.ts";
import { codeOfLetter, openRound } from "./codes.ts";
import type { Purpose } from "./codes.sql.ts";
import { emailContext, emailDigest } from "./email.ts";
import { drawLetter } from "./letter-page.ts";
import { findMailing, findNoByEmail } from "./members.sql.ts";

interface CodeLetterJob {
  letterId: string;
  /** The address, sealed, in base64. */
  to: string;
  language: Language;
  askedAt: string;
  agreedToSensitive: boolean;
}

interface PasswordLetterJob {
  letterId: string;
  no: number;
}

declare module "../platform/jobs.ts" {
  interface JobPayloads {
    sign_up_letter: CodeLetterJob;
    reset_password_letter: CodeLetterJob;
    password_changed_letter: PasswordLetterJob;
  }
}

/** Nobody waits longer for a code; the job gives up instead of surprising somebody tomorrow. */
export const WORTH_SENDING_MS = 30 * MINUTE_MS;

const context = (purpose: Purpose, letterId: string): string => `jobs.${purpose}_letter:${letterId}`;

/** Queues the letter of a first step. All that depends on whether the address has an account happens in the job. */
export async function queueCodeLetter(
  tx: Tx,
  deps: Deps,
  purpose: Purpose,
  wish: { email: string; language: Language; agreedToSensitive?: boolean },
): Promise<void> {
  const letterId = randomUUID();
  await deps.jobs.add(tx, `${purpose}_letter`, {
    letterId,
    to: deps.sealing.seal(wish.email, context(purpose, letterId)).toString("base64"),
    language: wish.language,
    askedAt: deps.clock.now().toISOString(),
    agreedToSensitive: wish.agreedToSensitive ?? false,
  });
}

/**
 * Opens the round of guessing and sends its code: to sign up, to an address without an account; to set a password, to
 * one that has an account. Anybody else's letter says why there is no code in it.
 */
export async function sendCodeLetter(deps: Deps, purpose: Purpose, job: CodeLetterJob): Promise<void> {
  const askedAt = new Date(job.askedAt);
  if (deps.clock.now().getTime() - askedAt.getTime() > WORTH_SENDING_MS) return;

  const to = deps.sealing.open(Buffer.from(job.to, "base64"), context(purpose, job.letterId));
  const hasAccount = (await findNoByEmail(deps.db, emailDigest(deps.sealing, to))) !== undefined;
  const getsCode = purpose === "sign_up" ? !hasAccount : hasAccount;
  const code = getsCode ? codeOfLetter(deps.secrets, job.letterId) : null;
  const sensitiveAgreedAt = job.agreedToSensitive ? askedAt : null;
  const isNewest = await openRound(deps, purpose, { email: to, code, askedAt, sensitiveAgreedAt });
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
  const subject = t("subject", { brand: deps.settings.brandName });
  await send(deps, { to, id: job.letterId, language: job.language, subject, paragraphs, code });
  const isOnlyForUs = deps.settings.smtpUrl === null && deps.settings.isLoopback;
  if (isOnlyForUs && code) deps.log.info({ code }, "a letter with this code is in the outbox");
}

/** Where letters to a member go, and the language it reads; null when it has no address or is gone. */
export async function mailingOf(
  deps: Deps,
  no: number,
): Promise<{ to: string; language: string; isActive: boolean } | null> {
  const member = await findMailing(deps.db, no);
  if (!member?.sealed_email) return null;
  const { sealed_email, language, standing } = member;
  return { to: deps.sealing.open(sealed_email, emailContext(no)), language, isActive: standing === "active" };
}

/** Queues the letter that tells a member of its new password, so that a thief's change is noticed. */
export async function queuePasswordLetter(tx: Tx, deps: Deps, no: number): Promise<void> {
  await deps.jobs.add(tx, "password_changed_letter", { letterId: randomUUID(), no });
}

/** Tells a member in its own language that its password was changed. Whoever was deleted meanwhile gets nothing. */
export async function sendPasswordLetter(deps: Deps, { letterId, no }: PasswordLetterJob): Promise<void> {
  const mailing = await mailingOf(deps, no);
  if (!mailing) return;
  const { to } = mailing;
  const language = languageOf(mailing.language);
  const t = translator(language, "emails");
  const paragraphs = [
    t("passwordChanged"),
    t("passwordChangedNext", { support: deps.settings.supportEmail }),
  ];
  const subject = t("accountSubject", { brand: deps.settings.brandName });
  await send(deps, { to, id: letterId, language, subject, paragraphs, code: null });
}

async function send(
  deps: Deps,
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
  const { text, html } = drawLetter({ ...page, brand: deps.settings.brandName });
  await deps.mail.send({ to, messageId: id, subject, text, html });
}
