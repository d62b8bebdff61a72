import { randomUUID } from "node:crypto";
import { languageOf } from "@alcove/i18n";
import { renderEmail, findLastUse, findRecipient } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { translator } from "../platform/i18n.ts";
import { ApiError } from "../platform/errors.ts";
import { DecryptionError } from "../platform/security/encryption.ts";
import { AWAY_MS } from "./outbox.ts";
import * as notices from "./preferences.sql.ts";
import { isNewsLeft } from "./pushes.ts";
import { quietEnd } from "./quiet-hours.ts";
import type { DigestJob } from "./events.ts";

const AT_ONCE = 200;
const TOKEN = "letters.unsubscribe";

/** Queues the letters that are due: to members who have been away, who have not seen something, at most one a day. */
export async function writeDue(ctx: AppContext): Promise<void> {
  for (const memberId of await notices.membersToWrite(ctx.db, ctx.clock.now(), AT_ONCE))
    await writeTo(ctx, memberId);
}

async function writeTo(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const notice = await notices.lockFreeNotice(tx, memberId);
    if (!notice?.letter_due_at || notice.letter_due_at > now) return;
    if (!notice.digest || !(await isNewsLeft(tx, notice))) {
      await notices.updateNotice(tx, memberId, { letter_due_at: null });
      return;
    }
    const lastUse = await findLastUse(tx, memberId);
    const notBefore = Math.max(
      lastUse ? lastUse.getTime() + AWAY_MS : 0,
      notice.lettered_at ? notice.lettered_at.getTime() + DAY_MS : 0,
    );
    const later = notBefore > now.getTime() ? new Date(notBefore) : quietEnd(notice, now);
    if (later) {
      await notices.updateNotice(tx, memberId, { letter_due_at: later });
      return;
    }
    await ctx.jobs.add(tx, "digest_email", { emailId: randomUUID(), memberId });
    await notices.updateNotice(tx, memberId, { letter_due_at: null, lettered_at: now });
  });
}

/** Sends the letter in the member's language; not to who has ended them, was suspended, or is gone by now. */
export async function sendDigest(ctx: AppContext, { emailId: emailId, memberId }: DigestJob): Promise<void> {
  const notice = await notices.readNotice(ctx.db, memberId);
  const mailing = await findRecipient(ctx, memberId);
  if (!notice?.digest || !mailing?.isActive) return;
  const language = languageOf(mailing.language);
  const t = translator(language, "emails");
  const origin = originOf(ctx);
  const link = unsubscribeLink(ctx, memberId, origin, language);
  const brand = ctx.config.brandName;
  const paragraphs = [
    translator(language, "notifications")("somethingNew"),
    `${origin}/${language}`,
    t("digestWhy"),
    link,
  ];
  const subject = t("accountSubject", { brand });
  const { text, html } = renderEmail({ language, brand, paragraphs, code: null });
  await ctx.mailer.send({ to: mailing.to, messageId: emailId, subject, text, html, unsubscribe: link });
}

/**
 * Ends the letters of whoever a token was made for. It needs no login and never grows old: whoever has the letter may
 * end the letters, and can do nothing else with it.
 */
export async function endLetters(ctx: AppContext, token: string): Promise<void> {
  const memberId = readToken(ctx, token);
  if (memberId === null) throw new ApiError("not_found");
  await ctx.db.transaction().execute(async (tx) => {
    await notices.updateNotice(tx, memberId, { digest: false, letter_due_at: null });
    await notices.updateListens(tx, memberId);
  });
}

/** The number never leaves the server: it is sealed, which signs it too. */
function unsubscribeLink(ctx: AppContext, memberId: number, origin: string, language: string): string {
  const token = ctx.encryption.encrypt(String(memberId), TOKEN).toString("base64url");
  return `${origin}/${language}/unsubscribe?token=${token}`;
}

function readToken({ encryption }: AppContext, token: string): number | null {
  try {
    return Number(encryption.decrypt(Buffer.from(token, "base64url"), TOKEN));
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

function originOf({ config }: AppContext): string {
  return config.publicUrl ?? `http://${config.host}:${config.port}`;
}
