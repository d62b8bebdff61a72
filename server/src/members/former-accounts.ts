import { randomUUID } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { emailContext, foldMailbox } from "./email-addresses.ts";
import { findEmailAndLanguage } from "./members.sql.ts";
import * as rows from "./mailboxes.sql.ts";
import type { DayCounters } from "./tables.ts";
import { foldUserId } from "./user-ids.ts";

const ACCOUNTS_PER_MAILBOX = 3;

type Context = Pick<AppContext, "clock" | "encryption">;

export const mailboxDigest = ({ encryption }: Pick<AppContext, "encryption">, email: string): Buffer =>
  encryption.blindIndex(foldMailbox(email), "mailbox");

// Other labels, so that an old dump does not link a deletion with a member.
const formerMailboxDigest = ({ encryption }: Context, email: string): Buffer =>
  encryption.blindIndex(foldMailbox(email), "former mailbox");

const formerUserIdDigest = ({ encryption }: Context, userId: string): Buffer =>
  encryption.blindIndex(foldUserId(userId), "former user id");

const forgottenDay = ({ clock }: Pick<AppContext, "clock">): string =>
  utcDay(new Date(clock.now().getTime() - RETENTION.formerAccountDays * DAY_MS));

/** Returns null for a full mailbox, else the counters of its former accounts. */
export async function joinMailbox(
  tx: Tx,
  ctx: Context,
  email: string,
  memberId: number,
): Promise<DayCounters[] | null> {
  const open = await rows.addToMailbox(tx, mailboxDigest(ctx, email), memberId);
  const former = await readFormer(tx, ctx, email);
  return open + former.length > ACCOUNTS_PER_MAILBOX ? null : former;
}

export async function leaveMailbox(
  tx: Tx,
  ctx: Pick<AppContext, "encryption">,
  email: string,
  memberId: number,
): Promise<void> {
  await rows.removeFromMailbox(tx, mailboxDigest(ctx, email), memberId);
}

export async function findMailboxMembers(ctx: AppContext, email: string): Promise<number[]> {
  return rows.readMembers(ctx.db, mailboxDigest(ctx, email));
}

export async function isMailboxFull(ctx: AppContext, email: string): Promise<boolean> {
  const [open, former] = await Promise.all([findMailboxMembers(ctx, email), readFormer(ctx.db, ctx, email)]);
  return open.length + former.length >= ACCOUNTS_PER_MAILBOX;
}

/** Remembers a deleted account for 90 days. A null address or user id is unreadable after a restore. */
export async function rememberAccount(
  tx: Tx,
  ctx: Context,
  memberId: number,
  { userId, email, counters }: { userId: string | null; email: string | null; counters: DayCounters },
): Promise<void> {
  const deleted_on = utcDay(ctx.clock.now());
  if (userId !== null) await rows.insertFormerUserId(tx, formerUserIdDigest(ctx, userId), deleted_on);
  if (email === null) return rows.removeFromMailboxes(tx, memberId);
  await rows.removeFromMailbox(tx, mailboxDigest(ctx, email), memberId);
  const mailbox_digest = formerMailboxDigest(ctx, email);
  await rows.insertFormerAccount(tx, { mailbox_digest, account_id: randomUUID(), deleted_on, counters });
}

export async function isFormerUserId(db: Db, ctx: Context, userId: string): Promise<boolean> {
  return rows.isFormerUserId(db, formerUserIdDigest(ctx, userId), forgottenDay(ctx));
}

export async function formerCoupons(ctx: AppContext, memberId: number): Promise<string[]> {
  const member = await findEmailAndLanguage(ctx.db, memberId);
  if (!member?.encrypted_email) return [];
  const email = await ctx.encryption.decrypt(member.encrypted_email, emailContext(memberId));
  return (await readFormer(ctx.db, ctx, email)).flatMap(({ coupons = [] }) => coupons);
}

export async function deleteFormerAccounts(ctx: AppContext): Promise<void> {
  await rows.deleteFormerUntil(ctx.db, forgottenDay(ctx));
}

function readFormer(db: Db, ctx: Context, email: string): Promise<DayCounters[]> {
  return rows.readFormerAccounts(db, formerMailboxDigest(ctx, email), forgottenDay(ctx));
}
