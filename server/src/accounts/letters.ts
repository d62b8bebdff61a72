import { randomUUID } from "node:crypto";
import { CODE_LIFE_MINUTES } from "@alcove/contract/limits";
import type { Language } from "@alcove/texts";
import { MINUTE_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { texts } from "../platform/language.ts";
import { codeOfLetter, openRound } from "./codes.ts";
import { emailDigest } from "./email.ts";
import { drawLetter } from "./letter-page.ts";
import { hasAccount } from "./members.sql.ts";

interface LetterJob {
  letterId: string;
  /** The address, sealed, in base64. */
  to: string;
  language: Language;
  askedAt: string;
  agreedToSensitive: boolean;
}

declare module "../platform/jobs.ts" {
  interface JobPayloads {
    sign_up_letter: LetterJob;
  }
}

/** Nobody waits longer for a letter; the job gives up instead of surprising somebody tomorrow. */
const WORTH_SENDING_MS = 30 * MINUTE_MS;

const context = (letterId: string): string => `jobs.sign_up_letter:${letterId}`;

/** Queues the letter of the first step. All that depends on whether the address has an account happens in the job. */
export async function queueSignUpLetter(
  tx: Tx,
  deps: Deps,
  wish: { email: string; language: Language; agreedToSensitive: boolean },
): Promise<void> {
  const letterId = randomUUID();
  await deps.jobs.add(tx, "sign_up_letter", {
    letterId,
    to: deps.sealing.seal(wish.email, context(letterId)).toString("base64"),
    language: wish.language,
    askedAt: deps.clock.now().toISOString(),
    agreedToSensitive: wish.agreedToSensitive,
  });
}

/** Opens the round of guessing and sends its code, or tells the owner of an address that it has an account. */
export async function sendSignUpLetter(deps: Deps, job: LetterJob): Promise<void> {
  const askedAt = new Date(job.askedAt);
  if (deps.clock.now().getTime() - askedAt.getTime() > WORTH_SENDING_MS) return;

  const to = deps.sealing.open(Buffer.from(job.to, "base64"), context(job.letterId));
  const isKnown = await hasAccount(deps.db, emailDigest(deps.sealing, to));
  const code = isKnown ? null : codeOfLetter(deps.secrets, job.letterId);
  const sensitiveAgreedAt = job.agreedToSensitive ? askedAt : null;
  const isNewest = await openRound(deps, { email: to, code, askedAt, sensitiveAgreedAt });
  if (!isNewest) return;

  await deps.mail.send({ to, messageId: job.letterId, ...writeLetter(deps, job.language, code) });
  const isOnlyForUs = deps.settings.smtpUrl === null && deps.settings.isLoopback;
  if (isOnlyForUs && code) deps.log.info({ code }, "a letter with this code is in the outbox");
}

function writeLetter(deps: Deps, language: Language, code: string | null) {
  const t = texts(language, "letters");
  const brand = deps.settings.brandName;
  const paragraphs = code
    ? [t("codeIntro"), t("codeLife", { minutes: CODE_LIFE_MINUTES }), t("ignore")]
    : [t("accountExists"), t("accountExistsNext"), t("ignore")];
  return { subject: t("subject", { brand }), ...drawLetter({ language, brand, paragraphs, code }) };
}
