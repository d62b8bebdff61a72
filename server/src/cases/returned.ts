import { RETENTION } from "@alcove/contract/retention";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";
import { hashStoredPicture } from "../media/index.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { lockMember, shareLockMember } from "../members/locks.ts";
import { findMemberById, isSuspended } from "../members/members.sql.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { raiseReview } from "../moderation/index.ts";
import { loadPeople } from "../profiles/index.ts";
import { accountDigests } from "../referral/index.ts";
import { readCasesAbout } from "./cases.sql.ts";
import { decryptContent } from "./evidence.ts";
import { readEvidence } from "./evidence.sql.ts";
import { mailboxMark, openCase, ranks } from "./open-case.ts";
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
  await ctx.jobs.add(tx, "hash_suspended_pictures", { memberId });
}

export async function hashPicturesOf(ctx: AppContext, memberId: number): Promise<void> {
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
    for (const similarTo of similar) await openReturned(ctx, memberId, similarTo);
    if (similar.length > 0) await raiseReview(ctx.db, memberId, mediaId);
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
  for (const [similarTo, known] of await rows.readAccounts(tx)) {
    const digests = accountDigests(ctx, similarTo, payer);
    if (digests.some((digest) => known.some((one) => one.equals(digest))))
      await ctx.jobs.add(tx, "open_returned", { memberId, similarTo });
  }
}

export async function openReturned(ctx: AppContext, memberId: number, similarTo: number): Promise<void> {
  if (memberId === similarTo || !(await findMemberById(ctx.db, memberId))) return;
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
