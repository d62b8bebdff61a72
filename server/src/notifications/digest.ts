import { randomUUID } from "node:crypto";
import { languageOf } from "@alcove/i18n";
import { findLastUse, findRecipient, renderEmail } from "../accounts/index.ts";
import { ceilTo, DAY_MS, HOUR_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { translator } from "../platform/i18n.ts";
import { openToken, sealToken } from "../platform/keys/sealed-token.ts";
import { publicOrigin } from "../platform/public-origin.ts";
import type { DigestJob } from "./events.ts";
import { AWAY_MS } from "./outbox.ts";
import * as preferences from "./preferences.sql.ts";
import { hasUnseenEvent } from "./pushes.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { endOfQuietHours } from "./quiet-hours.ts";

const BATCH_SIZE = 200;
const TOKEN_PURPOSE = "digest.unsubscribe";

export async function queueDueDigests(ctx: AppContext): Promise<void> {
  for (const memberId of await preferences.findMembersWithDueDigest(ctx.db, ctx.clock.now(), BATCH_SIZE))
    await queueDigest(ctx, memberId);
}

async function queueDigest(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const current = await preferences.tryLockPreferences(tx, memberId);
    if (!current?.digest_due_at || current.digest_due_at > now) return;
    if (!current.digest || !(await hasUnseenEvent(tx, current))) {
      await preferences.updatePreferences(tx, memberId, { digest_due_at: null });
      return;
    }
    const lastUse = await findLastUse(tx, memberId);
    const earliest = Math.max(
      lastUse ? lastUse.getTime() + AWAY_MS : 0,
      current.digest_sent_at ? current.digest_sent_at.getTime() + DAY_MS : 0,
    );
    const postponed =
      earliest > now.getTime()
        ? ceilTo(new Date(earliest), HOUR_MS)
        : endOfQuietHours(current, await findTimeZone(tx, memberId), now);
    if (postponed) {
      await preferences.updatePreferences(tx, memberId, { digest_due_at: postponed });
      return;
    }
    await ctx.jobs.add(tx, "digest_email", { emailId: randomUUID(), memberId });
    await preferences.updatePreferences(tx, memberId, {
      digest_due_at: null,
      digest_sent_at: ceilTo(now, HOUR_MS),
    });
  });
}

/** The member may have changed since the job was queued. */
export async function sendDigest(ctx: AppContext, { emailId, memberId }: DigestJob): Promise<void> {
  const current = await preferences.findPreferences(ctx.db, memberId);
  const recipient = await findRecipient(ctx, memberId);
  if (!current?.digest || !recipient?.isActive) return;
  const language = languageOf(recipient.language);
  const t = translator(language, "emails");
  const origin = publicOrigin(ctx.config);
  const unsubscribe = unsubscribeUrl(ctx, memberId, origin, language);
  const brand = ctx.config.brandName;
  const paragraphs = [
    translator(language, "notifications")("somethingNew"),
    `${origin}/${language}`,
    t("digestWhy"),
    unsubscribe,
  ];
  const subject = t("accountSubject", { brand });
  const { text, html } = renderEmail({ language, brand, paragraphs, code: null });
  await ctx.mailer.send({ to: recipient.to, messageId: emailId, subject, text, html, unsubscribe });
}

/** Needs no login. The token never expires and permits nothing else. */
export async function unsubscribeFromDigest(ctx: AppContext, token: string): Promise<void> {
  const opened = openToken(ctx.secrets, token, TOKEN_PURPOSE);
  if (opened === null) throw new ApiError("not_found");
  const memberId = Number(opened.toString());
  await ctx.db.transaction().execute(async (tx) => {
    await preferences.updatePreferences(tx, memberId, { digest: false, digest_due_at: null });
    await preferences.updateHasChannel(tx, memberId);
  });
}

/** Encryption hides the internal id and authenticates the token. */
function unsubscribeUrl(ctx: AppContext, memberId: number, origin: string, language: string): string {
  const token = sealToken(ctx.secrets, Buffer.from(String(memberId)), TOKEN_PURPOSE);
  return `${origin}/${language}/unsubscribe?token=${token}`;
}
