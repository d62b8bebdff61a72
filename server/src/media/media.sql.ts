import { type Insertable, sql } from "kysely";
import { selectActiveMembers } from "../members/select-members.sql.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MediaKind, MediaTables } from "./tables.ts";

const MAX_MISSING = 10_000;

export async function insertFile(db: Db, file: Insertable<MediaTables["media_files"]>): Promise<void> {
  await db.insertInto("media_files").values(file).execute();
}

export async function readHash(db: Db, ownerMemberId: number, mediaId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom("media_files")
    .select("encrypted_hash")
    .where("member_no", "=", ownerMemberId)
    .where("media_id", "=", mediaId)
    .executeTakeFirst();
  return row?.encrypted_hash ?? null;
}

/** Pages through the table by media id: for a job only. Leaves out evidence and unfinished uploads. */
export function readHashes(db: Db, after: string | null, limit: number) {
  return db
    .selectFrom("media_files")
    .select(["member_no", "media_id", "kind", "encrypted_hash"])
    .where("encrypted_hash", "is not", null)
    .where("claimed", "=", true)
    .where("kind", "in", ["icon", "message", "clear"])
    .$if(after !== null, (query) => query.where("media_id", ">", after!))
    .orderBy("media_id")
    .limit(limit)
    .execute();
}

export async function setClaimed(
  db: Db,
  ownerMemberId: number,
  mediaId: string,
  claimed: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("media_files")
    .set({ claimed })
    .where("member_no", "=", ownerMemberId)
    .where("media_id", "=", mediaId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function setKind(
  tx: Tx,
  images: readonly { ownerMemberId: number; mediaId: string }[],
  { from, to }: { from: MediaKind; to: MediaKind },
): Promise<void> {
  const owners = images.map(({ ownerMemberId }) => ownerMemberId);
  const ids = images.map(({ mediaId }) => mediaId);
  await tx
    .updateTable("media_files")
    .set({ kind: to })
    .where("kind", "=", from)
    .where("member_no", "=", sql<number>`any(${owners}::int8[])`)
    .where("media_id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export async function deleteFile(db: Db, ownerMemberId: number, mediaId: string): Promise<void> {
  await db
    .deleteFrom("media_files")
    .where("member_no", "=", ownerMemberId)
    .where("media_id", "=", mediaId)
    .execute();
}

/** Scans the table: for a restore only. */
export async function deleteRows(tx: Tx, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return;
  await tx
    .deleteFrom("media_files")
    .where("media_id", "=", sql<string>`any(${mediaIds}::uuid[])`)
    .execute();
}

export async function deleteUnclaimed(db: Db, ownerMemberId: number, mediaId: string): Promise<void> {
  await db
    .deleteFrom("media_files")
    .where("member_no", "=", ownerMemberId)
    .where("media_id", "=", mediaId)
    .where("claimed", "=", false)
    .execute();
}

/** Spares reportable pictures, and copies of cases. */
export async function deleteClaimedOf(db: Db, ownerMemberId: number): Promise<string[]> {
  const gone = await db
    .deleteFrom("media_files")
    .where("member_no", "=", ownerMemberId)
    .where("claimed", "=", true)
    .where("kind", "not in", ["hidden", "unsent", "case"])
    .returning("media_id")
    .execute();
  return gone.map((row) => row.media_id);
}

export async function readExportedOf(
  db: Db,
  ownerMemberId: number,
): Promise<{ mediaId: string; isVoice: boolean }[]> {
  return db
    .selectFrom("media_files")
    .select(["media_id as mediaId", "is_voice as isVoice"])
    .where("member_no", "=", ownerMemberId)
    .where("claimed", "=", true)
    .where("kind", "not in", ["hidden", "unsent", "case"])
    .orderBy("created_at")
    .orderBy("media_id")
    .execute();
}

/** Reads every shard by index: for a job only. */
export function findUnclaimed(db: Db, before: Date, limit: number) {
  return db
    .selectFrom("media_files")
    .select(["member_no", "media_id"])
    .where("claimed", "=", false)
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** Reads every shard by index: for a job only. */
export async function findKnown(db: Db, mediaIds: readonly string[]): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set();
  const found = await db
    .selectFrom("media_files")
    .select("media_id")
    .where("media_id", "=", sql<string>`any(${mediaIds}::uuid[])`)
    .execute();
  return new Set(found.map((row) => row.media_id));
}

export async function findClaimedBetween(
  db: Db,
  [above, upTo]: [string | null, string | null],
  before: Date,
): Promise<string[]> {
  const found = await db
    .selectFrom("media_files")
    .select("media_id")
    .where("claimed", "=", true)
    .where("created_at", "<", before)
    .$if(above !== null, (query) => query.where("media_id", ">", above!))
    .$if(upTo !== null, (query) => query.where("media_id", "<=", upTo!))
    .orderBy("media_id")
    .limit(MAX_MISSING)
    .execute();
  return found.map((row) => row.media_id);
}

/** Reads every shard by index: for a backup only. */
export async function findClaimed(db: Db, after: string | null, limit: number): Promise<string[]> {
  const found = await db
    .selectFrom("media_files")
    .select("media_id")
    .where("claimed", "=", true)
    .$if(after !== null, (query) => query.where("media_id", ">", after!))
    .orderBy("media_id")
    .limit(limit)
    .execute();
  return found.map((row) => row.media_id);
}

export async function hasSession(db: Db, memberId: number, session: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("session_id")
    .where("session_id", "=", session)
    .where("member_no", "=", memberId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isMatched(db: Db, memberId: number, otherMemberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("match_edges")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isActive(db: Db, memberId: number): Promise<boolean> {
  const row = await selectActiveMembers(db)
    .select("m.member_no")
    .where("m.member_no", "=", memberId)
    .executeTakeFirst();
  return row !== undefined;
}

const holds = (column: string, key: "media" | "clear", mediaId: string) =>
  sql<boolean>`(${sql.ref(`p.${column}`)} = ${mediaId}
    or p.more_pictures @> ${JSON.stringify([{ [key]: mediaId }])}::jsonb)`;

/** A picture that waits for an operator's look is shown to its owner only. */
export async function isIconOf(
  db: Db,
  {
    ownerMemberId,
    viewerMemberId,
    mediaId,
  }: { ownerMemberId: number; viewerMemberId: number; mediaId: string },
): Promise<boolean> {
  const row = await selectActiveMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select("p.member_no")
    .where("p.member_no", "=", ownerMemberId)
    .where(holds("icon_media", "media", mediaId))
    .$if(viewerMemberId !== ownerMemberId, (query) =>
      query.where(sql<boolean>`${mediaId}::uuid <> all(p.waiting_media)`),
    )
    .executeTakeFirst();
  return row !== undefined;
}

export async function isClearIconOf(db: Db, ownerMemberId: number, mediaId: string): Promise<boolean> {
  const row = await selectActiveMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select("p.member_no")
    .where("p.member_no", "=", ownerMemberId)
    .where(holds("clear_icon_media", "clear", mediaId))
    .executeTakeFirst();
  return row !== undefined;
}

export async function isShownTo(db: Db, ownerMemberId: number, viewerMemberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("clear_icon_viewers as v")
    .innerJoin("match_edges as e", (join) =>
      join.onRef("e.member_no", "=", "v.member_no").onRef("e.other_no", "=", "v.viewer_no"),
    )
    .select("v.viewer_no")
    .where("v.member_no", "=", ownerMemberId)
    .where("v.viewer_no", "=", viewerMemberId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isMessageFileOf(db: Db, ownerMemberId: number, mediaId: string): Promise<boolean> {
  const row = await db
    .selectFrom("media_files")
    .select("member_no")
    .where("member_no", "=", ownerMemberId)
    .where("media_id", "=", mediaId)
    .where("kind", "=", "message")
    .executeTakeFirst();
  return row !== undefined;
}
