import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ModerationTables } from "./tables.ts";

export type FlagRow = Selectable<ModerationTables["picture_flags"]>;

export async function insertPictures(
  tx: Tx,
  pictures: Insertable<ModerationTables["suspended_pictures"]>[],
): Promise<void> {
  if (pictures.length === 0) return;
  await tx
    .insertInto("suspended_pictures")
    .values(pictures)
    .onConflict((conflict) => conflict.columns(["member_no", "media_id"]).doNothing())
    .execute();
}

/** Compares with all suspended members, of whom there are few: for a job only. */
export async function findSimilar(
  db: Db,
  { memberId, hash, maxDifference }: { memberId: number; hash: string; maxDifference: number },
): Promise<number[]> {
  const { rows } = await sql<{ member_no: number }>`
    select distinct member_no from suspended_pictures
    where member_no <> ${memberId} and bit_count(hash # ${hash}::bit(128)) <= ${maxDifference}
    order by member_no`.execute(db);
  return rows.map(({ member_no }) => member_no);
}

/** Scans the table: for a job only. */
export async function deletePicturesBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom("suspended_pictures").where("suspended_on", "<", day).execute();
}

export async function deletePicturesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("suspended_pictures").where("member_no", "=", memberId).execute();
}

export async function insertFlag(db: Db, flag: FlagRow): Promise<void> {
  await db
    .insertInto("picture_flags")
    .values(flag)
    .onConflict((conflict) => conflict.columns(["member_no", "media_id", "similar_to"]).doNothing())
    .execute();
}

/** Scans the table: for the operator only. */
export async function readFlags(db: Db, limit: number): Promise<FlagRow[]> {
  return db
    .selectFrom("picture_flags")
    .selectAll()
    .orderBy("flagged_on")
    .orderBy("flag_id")
    .limit(limit)
    .execute();
}

/** Scans the table: for the operator only. */
export async function findFlag(db: Db, flagId: string): Promise<FlagRow | null> {
  const row = await db
    .selectFrom("picture_flags")
    .selectAll()
    .where("flag_id", "=", flagId)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteFlag(
  db: Db | Tx,
  { member_no, flag_id }: Pick<FlagRow, "member_no" | "flag_id">,
): Promise<boolean> {
  const row = await db
    .deleteFrom("picture_flags")
    .where("member_no", "=", member_no)
    .where("flag_id", "=", flag_id)
    .returning("flag_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Also deletes flags of others by the member's pictures. */
export async function deleteFlagsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("picture_flags").where("member_no", "=", memberId).execute();
  await tx.deleteFrom("picture_flags").where("similar_to", "=", memberId).execute();
}
