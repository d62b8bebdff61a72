import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

export async function shareLockClearIcon(tx: Tx, memberId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("profiles")
    .select("member_no")
    .where("member_no", "=", memberId)
    .where(
      sql<boolean>`(clear_icon_media is not null or jsonb_path_exists(more_pictures, '$[*].clear ? (@ != null)'))`,
    )
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertViewer(tx: Tx, memberId: number, viewerMemberId: number): Promise<void> {
  await tx
    .insertInto("clear_icon_viewers")
    .values({
      member_no: memberId,
      viewer_no: viewerMemberId,
      sequence_no: sql`nextval('clear_icon_viewer_sequence')`,
    })
    .onConflict((conflict) => conflict.columns(["member_no", "viewer_no"]).doNothing())
    .execute();
}

export async function deleteViewer(db: Db, memberId: number, viewerMemberId: number): Promise<void> {
  await db
    .deleteFrom("clear_icon_viewers")
    .where("member_no", "=", memberId)
    .where("viewer_no", "=", viewerMemberId)
    .execute();
}

export async function deleteViewersOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("clear_icon_viewers").where("member_no", "=", memberId).execute();
}

export async function deleteViewerEverywhere(
  tx: Tx,
  viewerMemberId: number,
  matchedMemberIds: number[],
): Promise<void> {
  if (matchedMemberIds.length === 0) return;
  await tx
    .deleteFrom("clear_icon_viewers")
    .where("member_no", "=", sql<number>`any(${matchedMemberIds}::int8[])`)
    .where("viewer_no", "=", viewerMemberId)
    .execute();
}

export async function readViewers(db: Db, memberId: number): Promise<number[]> {
  const found = await db
    .selectFrom("clear_icon_viewers")
    .select("viewer_no")
    .where("member_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .execute();
  return found.map((row) => row.viewer_no);
}

export async function isViewer(db: Db, memberId: number, viewerMemberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("clear_icon_viewers")
    .select("viewer_no")
    .where("member_no", "=", memberId)
    .where("viewer_no", "=", viewerMemberId)
    .executeTakeFirst();
  return row !== undefined;
}
