import { randomUUID } from "node:crypto";
import { endWaiting } from "../profiles/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./picture-reviews.sql.ts";
import type { ReviewRisk } from "./tables.ts";

const NEW_MEMBER_MS = 7 * DAY_MS;

export interface PictureReview {
  readonly id: string;
  readonly memberId: number;
  readonly mediaId: string;
  readonly risk: ReviewRisk;
  readonly on: string;
  readonly isWaiting: boolean;
}

/** Does nothing with `PICTURE_REVIEW=off`. Clear versions are left out: no operator sees what others do not see. */
export async function addReviews(
  tx: Tx,
  { config, clock }: AppContext,
  { memberId, mediaIds }: { memberId: number; mediaIds: readonly string[] },
): Promise<void> {
  if (config.pictureReview === "off") return;
  const now = clock.now();
  const isNew = await rows.isNewMember(tx, memberId, new Date(now.getTime() - NEW_MEMBER_MS));
  const shown = await rows.readShown(tx, memberId, mediaIds);
  await rows.insertReviews(
    tx,
    shown.map((media_id) => ({
      member_no: memberId,
      media_id,
      review_id: randomUUID(),
      risk: isNew ? "new" : "usual",
      added_on: utcDay(now),
    })),
  );
}

/** Riskiest first, then oldest. */
export async function listReviews({ db }: AppContext, limit: number): Promise<PictureReview[]> {
  return (await rows.readReviews(db, limit)).map(present);
}

export async function findReview({ db }: AppContext, id: string): Promise<PictureReview | null> {
  const row = await rows.findReview(db, id);
  return row ? present(row) : null;
}

/** Others see the picture from now on. Returns false if another operator was first. */
export async function approveReview({ db }: AppContext, review: PictureReview): Promise<boolean> {
  const { memberId, mediaId } = review;
  return db.transaction().execute(async (tx) => {
    if (!(await rows.deleteReview(tx, { member_no: memberId, media_id: mediaId }))) return false;
    await endWaiting(tx, review, mediaId);
    return true;
  });
}

export async function deleteSeenReviews({ db }: AppContext): Promise<void> {
  await rows.deleteReviewsWithoutFile(db);
}

function present(row: NonNullable<Awaited<ReturnType<typeof rows.findReview>>>): PictureReview {
  const { review_id: id, member_no: memberId, media_id: mediaId, risk, added_on: on, is_waiting } = row;
  return { id, memberId, mediaId, risk, on, isWaiting: is_waiting };
}
