import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

/** By key: whether the member keeps a clear picture, held so that it stays until the end of the transaction. */
export async function holdClearIcon(tx: Tx, memberId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("profiles")
    .select("member_no")
    .where("member_no", "=", memberId)
    .where("clear_icon_media", "is not", null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** One row by its key; a second time changes nothing. */
export async function insertViewer(
  tx: Tx,
  memberId: number,
  viewerMemberId: number,
  at: Date,
): Promise<void> {
  await tx
    .insertInto("clear_icon_viewers")
    .values({ member_no: memberId, viewer_no: viewerMemberId, at })
    .onConflict((conflict) => conflict.columns(["member_no", "viewer_no"]).doNothing())
    .execute();
}

/** One row by its key. */
export async function deleteViewer(db: Db, memberId: number, viewerMemberId: number): Promise<void> {
  await db
    .deleteFrom("clear_icon_viewers")
    .where("member_no", "=", memberId)
    .where("viewer_no", "=", viewerMemberId)
    .execute();
}

/** By the member's key: all whom it shows its clear picture to. */
export async function deleteViewersOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("clear_icon_viewers").where("member_no", "=", memberId).execute();
}

/** By the keys of a member's friends: what they show to it. */
export async function deleteViewerEverywhere(
  tx: Tx,
  viewerMemberId: number,
  friends: number[],
): Promise<void> {
  await tx
    .deleteFrom("clear_icon_viewers")
    .where("member_no", "=", sql<number>`any(${friends}::int8[])`)
    .where("viewer_no", "=", viewerMemberId)
    .execute();
}

/** One range read of the key, latest first. */
export async function readViewers(db: Db, memberId: number): Promise<number[]> {
  const found = await db
    .selectFrom("clear_icon_viewers")
    .select("viewer_no")
    .where("member_no", "=", memberId)
    .orderBy("at", "desc")
    .orderBy("viewer_no", "desc")
    .execute();
  return found.map((row) => row.viewer_no);
}

/** By key: whether the member shows its clear picture to somebody. */
export async function isViewer(db: Db, memberId: number, viewerMemberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("clear_icon_viewers")
    .select("at")
    .where("member_no", "=", memberId)
    .where("viewer_no", "=", viewerMemberId)
    .executeTakeFirst();
  return row !== undefined;
}
