import { type Insertable, type Selectable, sql } from "kysely";
import { selectMembers } from "../members/select-members.sql.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ModerationTables } from "./tables.ts";

export type ReviewRow = Selectable<ModerationTables["picture_reviews"]>;

/** Leaves out clear versions, which others do not see. */
export async function readShown(db: Db, memberId: number, mediaIds: readonly string[]): Promise<string[]> {
  const found = await db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", memberId)
    .where("media_id", "=", sql<string>`any(${mediaIds}::uuid[])`)
    .where("kind", "=", "icon")
    .execute();
  return found.map(({ media_id }) => media_id);
}

export async function isNewMember(db: Db, memberId: number, since: Date): Promise<boolean> {
  const row = await selectMembers(db)
    .select("m.member_no")
    .where("m.member_no", "=", memberId)
    .where("m.created_at", ">=", since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertReviews(
  tx: Tx,
  reviews: Insertable<ModerationTables["picture_reviews"]>[],
): Promise<void> {
  if (reviews.length > 0) await tx.insertInto("picture_reviews").values(reviews).execute();
}

export async function raiseReview(db: Db, memberId: number, mediaId: string): Promise<void> {
  await db
    .updateTable("picture_reviews")
    .set({ risk: "near_banned" })
    .where("member_no", "=", memberId)
    .where("media_id", "=", mediaId)
    .execute();
}

const selectReviews = (db: Db) =>
  db
    .selectFrom("picture_reviews as r")
    .innerJoin("profiles as p", "p.member_no", "r.member_no")
    .selectAll("r")
    .select(sql<boolean>`r.media_id = any(p.waiting_media)`.as("is_waiting"))
    .where("p.is_suspended", "=", false)
    .where(
      sql<boolean>`(p.icon_media = r.media_id
        or p.more_pictures @> jsonb_build_array(jsonb_build_object('media', r.media_id::text)))`,
    );

/** Scans the table: for the operator only. Leaves out pictures that are removed, and those of suspended members. */
export function readReviews(db: Db, limit: number) {
  return selectReviews(db)
    .orderBy(sql`array_position(array['near_banned', 'new', 'usual'], r.risk)`)
    .orderBy("r.added_on")
    .orderBy("r.review_id")
    .limit(limit)
    .execute();
}

/** Scans the table: for the operator only. */
export function findReview(db: Db, reviewId: string) {
  return selectReviews(db).where("r.review_id", "=", reviewId).executeTakeFirst();
}

export async function deleteReview(
  db: Db | Tx,
  { member_no, media_id }: Pick<ReviewRow, "member_no" | "media_id">,
): Promise<boolean> {
  const row = await db
    .deleteFrom("picture_reviews")
    .where("member_no", "=", member_no)
    .where("media_id", "=", media_id)
    .returning("media_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteReviewsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("picture_reviews").where("member_no", "=", memberId).execute();
}

/** Scans the table: for a job only. */
export async function deleteReviewsWithoutFile(db: Db): Promise<void> {
  await db
    .deleteFrom("picture_reviews as r")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("media_files as f")
            .select("f.media_id")
            .whereRef("f.member_no", "=", "r.member_no")
            .whereRef("f.media_id", "=", "r.media_id"),
        ),
      ),
    )
    .execute();
}
