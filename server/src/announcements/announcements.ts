import { randomUUID } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { type Language, languageOf } from "@alcove/i18n";
import { findRecipient, renderEmail } from "../accounts/index.ts";
import { shareLockMembers } from "../members/locks.ts";
import { readMemberIdsAfter } from "../members/members.sql.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { keyIdOf } from "../platform/keys/encryption.ts";
import { uuidAt } from "../platform/lib/uuid-bytes.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import * as rows from "./announcements.sql.ts";
import type { AnnouncementJob } from "./events.ts";

const BATCH_SIZE = 100;
/** Codes and receipts overtake it. */
const PRIORITY = 10;

export type Announcement = Readonly<
  Record<Language, { readonly subject: string; readonly paragraphs: readonly string[] }>
>;

/**
 * Queues one email for each member, suspended ones too. The same emails are the same announcement: an interrupted call
 * continues, and no member gets a second one within `RETENTION.announcementDays`.
 */
export async function announce(
  ctx: AppContext,
  emails: Announcement,
  to: "all" | readonly number[],
): Promise<{ queued: number; earlier: number }> {
  const id = await storeAnnouncement(ctx, JSON.stringify(emails));
  const counts = { queued: 0, earlier: 0 };
  for await (const batch of to === "all" ? allMembers(ctx) : inBatches(to)) {
    const queued = await queueEmails(ctx, id, batch);
    counts.queued += queued;
    counts.earlier += batch.length - queued;
  }
  return counts;
}

async function* allMembers({ db }: AppContext): AsyncGenerator<readonly number[]> {
  for (let last = 0; ;) {
    const batch = await readMemberIdsAfter(db, last, BATCH_SIZE);
    if (batch.length === 0) return;
    yield batch;
    last = batch.at(-1)!;
  }
}

async function* inBatches(memberIds: readonly number[]): AsyncGenerator<readonly number[]> {
  for (let from = 0; from < memberIds.length; from += BATCH_SIZE)
    yield memberIds.slice(from, from + BATCH_SIZE);
}

async function storeAnnouncement(ctx: AppContext, emails: string): Promise<string> {
  const { encryption } = ctx;
  const announcement_id = uuidAt(encryption.blindIndex(emails, "announcement"), 0);
  const keyId = encryption.keys.create();
  const encrypted_emails = await encryption.encrypt(keyId, emails, emailsContext(announcement_id));
  const row = { announcement_id, encrypted_emails, created_on: utcDay(ctx.clock.now()) };
  await ctx.db.transaction().execute(async (tx) => {
    if (await rows.insertAnnouncement(tx, row)) await encryption.keys.store(tx, keyId);
    else encryption.keys.forget(keyId);
  });
  return announcement_id;
}

/** One transaction: a member has a row and an email, or neither. */
async function queueEmails(
  ctx: AppContext,
  announcement: string,
  memberIds: readonly number[],
): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const existing = await shareLockMembers(tx, memberIds);
    const receivers = await rows.insertReceivers(tx, announcement, [...existing]);
    for (const memberId of receivers) {
      const job = { emailId: randomUUID(), memberId, announcement };
      await ctx.jobs.add(tx, "announcement_email", job, { priority: PRIORITY });
    }
    return receivers.length;
  });
}

/** Has the neutral frame of all emails; replies reach the operator. */
export async function sendAnnouncement(ctx: AppContext, job: AnnouncementJob): Promise<void> {
  const encrypted = await rows.readEmails(ctx.db, job.announcement);
  const emails =
    encrypted && (await ctx.encryption.decryptIfKept(encrypted, emailsContext(job.announcement)));
  const recipient = await findRecipient(ctx, job.memberId);
  if (!emails || !recipient) return;
  const language = languageOf(recipient.language);
  const { subject, paragraphs } = (JSON.parse(emails) as Announcement)[language];
  const { brandName: brand, supportEmail: replyTo } = ctx.config;
  const { text, html } = renderEmail({ language, brand, paragraphs, code: null });
  await ctx.mailer.send({ to: recipient.to, replyTo, messageId: job.emailId, subject, text, html });
}

export async function exportAnnouncements(tx: Tx, { memberId }: CurrentMember): Promise<ExportPart> {
  return { values: { announcements: await rows.countReceived(tx, memberId) } };
}

export async function sweepAnnouncements(ctx: AppContext): Promise<void> {
  const before = utcDay(new Date(ctx.clock.now().getTime() - RETENTION.announcementDays * DAY_MS));
  await ctx.db.transaction().execute(async (tx) => {
    const deleted = await rows.deleteBefore(tx, before);
    await ctx.encryption.keys.destroy(tx, deleted.map(keyIdOf));
  });
}

const emailsContext = (announcementId: string): string => `announcements.encrypted_emails:${announcementId}`;
