import { RETENTION } from "@alcove/contract/retention";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";
import { differenceOf, hashStoredPicture, listStoredHashes } from "../media/index.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { readMembers } from "../members/mailboxes.sql.ts";
import { lockMember, shareLockMember } from "../members/locks.ts";
import { findMemberById, isSuspended } from "../members/members.sql.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { raiseReview } from "../moderation/index.ts";
import { loadPeople } from "../profiles/index.ts";
import { accountMarks, findSharedAccounts } from "../referral/index.ts";
import { readCasesAbout } from "./cases.sql.ts";
import { decryptContent } from "./evidence.ts";
import { readEvidence } from "./evidence.sql.ts";
import { type Accused, decryptAccused, describeAccount, mailboxMark, openCase, ranks } from "./open-case.ts";
import * as rows from "./returned.sql.ts";

/** Of 128 bits (docs/media.md). */
const MAX_DIFFERENCE = 12;

export async function rememberSuspended(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  { mailbox, paypal }: { mailbox: Buffer | null; paypal: readonly Buffer[] },
): Promise<void> {
  const suspended_on = utcDay(ctx.clock.now());
  if (mailbox) await rows.insertMark(tx, { mailbox_digest: mailbox, member_no: memberId, suspended_on });
  const accounts = paypal.map((account_digest) => ({ account_digest, member_no: memberId, suspended_on }));
  await rows.insertAccounts(tx, accounts);
  await ctx.jobs.add(tx, "compare_suspended", { memberId });
}

/** Hashes the pictures, then compares the accounts that signed up before the suspension took effect. Safe to run twice. */
export async function compareSuspended(ctx: AppContext, memberId: number): Promise<void> {
  await hashPicturesOf(ctx, memberId);
  const hashes = await rows.readPictures(ctx.db, memberId);
  if (hashes.length > 0)
    for await (const { ownerMemberId, mediaId, kind, hash } of listStoredHashes(ctx))
      if (kind === "icon" && hashes.some((one) => differenceOf(one, hash) <= MAX_DIFFERENCE))
        await raiseReturned(ctx, { memberId: ownerMemberId, mediaId, similarTo: memberId });
  const account = await describeSuspended(ctx, memberId);
  if (!account) return;
  const mailbox = account.mailboxIndex === null ? [] : await findMembersOf(ctx, account.mailboxIndex);
  const shared = await findSharedAccounts(
    ctx,
    account.paypal.map((mark) => Buffer.from(mark, "base64")),
  );
  for (const other of [...mailbox, ...shared]) await openReturned(ctx, other, memberId);
}

const findMembersOf = ({ db }: AppContext, index: string): Promise<number[]> =>
  readMembers(db, Buffer.from(index, "base64"));

/** Null after the restoration. Of a deleted account as a case describes it. */
async function describeSuspended(ctx: AppContext, memberId: number): Promise<Accused | null> {
  if (await findMemberById(ctx.db, memberId))
    return (await isSuspended(ctx.db, memberId)) ? describeAccount(ctx, memberId) : null;
  const found = (await readCasesAbout(ctx.db, memberId)).findLast((one) => one.encrypted_accused !== null);
  return found ? decryptAccused(ctx, found) : null;
}

async function raiseReturned(
  ctx: AppContext,
  { memberId, mediaId, similarTo }: { memberId: number; mediaId: string; similarTo: number },
): Promise<void> {
  if (memberId === similarTo) return;
  await openReturned(ctx, memberId, similarTo);
  await raiseReview(ctx.db, memberId, mediaId);
}

async function hashPicturesOf(ctx: AppContext, memberId: number): Promise<void> {
  const suspended_on = utcDay(ctx.clock.now());
  const hashed = await Promise.all(
    (await findPictures(ctx, memberId)).map(async (media_id) => {
      const hash = await hashStoredPicture(ctx, memberId, media_id);
      return hash === null ? [] : [{ member_no: memberId, media_id, hash, suspended_on }];
    }),
  );
  await ctx.db.transaction().execute(async (tx) => {
    // A restoration comes first or waits.
    const isThere = await lockMember(tx, memberId);
    if (!isThere || (await isSuspended(tx, memberId))) await rows.insertPictures(tx, hashed.flat());
  });
}

async function findPictures(ctx: AppContext, memberId: number): Promise<string[]> {
  const person = (await loadPeople(ctx, [memberId])).get(memberId);
  const shown = person?.pictures.flatMap(({ media, clear }) => [media, clear ?? []].flat()) ?? [];
  const cases = (await readCasesAbout(ctx.db, memberId)).map(({ case_no }) => case_no);
  const contents = await Promise.all(
    (await readEvidence(ctx.db, cases)).map((row) => decryptContent(ctx, row)),
  );
  const kept = contents.flatMap((content) => (content?.kind === "profile" ? content.mediaIds : []));
  return [...shown, ...kept];
}

/** Each new picture adds this job, also that of a sign-up, so that no response differs. */
export async function comparePictures(
  ctx: AppContext,
  memberId: number,
  mediaIds: readonly string[],
): Promise<void> {
  await compareMailbox(ctx, memberId);
  for (const mediaId of mediaIds) {
    const hash = await hashStoredPicture(ctx, memberId, mediaId);
    if (hash === null) continue;
    const similar = await rows.findSimilar(ctx.db, { memberId, hash, maxDifference: MAX_DIFFERENCE });
    for (const similarTo of similar) await raiseReturned(ctx, { memberId, mediaId, similarTo });
  }
}

async function compareMailbox(ctx: AppContext, memberId: number): Promise<void> {
  const email = (await findIdentifiers(ctx, memberId))?.email;
  if (!email) return;
  for (const similarTo of await rows.findMarked(ctx.db, mailboxMark(ctx, email)))
    await openReturned(ctx, memberId, similarTo);
}

/** Of a purchase, in its transaction. */
export async function comparePayer(
  tx: Tx,
  ctx: AppContext,
  { memberId, payer }: { memberId: number; payer: PayPalIdentity },
): Promise<void> {
  for (const similarTo of await rows.findWithAccount(tx, accountMarks(ctx, payer)))
    await ctx.jobs.add(tx, "open_returned", { memberId, similarTo });
}

export async function openReturned(ctx: AppContext, memberId: number, similarTo: number): Promise<void> {
  if (memberId === similarTo || !(await findMemberById(ctx.db, memberId))) return;
  if (await isSuspended(ctx.db, memberId)) return;
  const isKnown = (await readCasesAbout(ctx.db, memberId)).some(
    ({ kind, similar_to }) => kind === "returned" && similar_to === similarTo,
  );
  if (isKnown) return;
  await openCase(
    ctx,
    { kind: "returned", accused: memberId, similarTo, rank: ranks.normal, isSeparate: true },
    (tx) => shareLockMember(tx, memberId),
  );
}

export async function forgetUnlessSuspended(tx: Tx, memberId: number): Promise<void> {
  if (!(await isSuspended(tx, memberId))) await rows.deleteMarksOf(tx, memberId);
}

/** Marks of deleted accounts end with their last case. */
export async function sweepMarks(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.suspendedPictureDays * DAY_MS);
  await rows.deleteMarksBefore(ctx.db, utcDay(before));
  for (const memberId of await rows.readMarked(ctx.db)) {
    if (await findMemberById(ctx.db, memberId)) continue;
    if ((await readCasesAbout(ctx.db, memberId)).length === 0) await rows.deleteMarksOf(ctx.db, memberId);
  }
}
