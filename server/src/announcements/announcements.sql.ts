import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { keyIdIn } from "../platform/keys/data-keys.sql.ts";
import type { AnnouncementsTables } from "./tables.ts";

export async function insertAnnouncement(
  tx: Tx,
  announcement: AnnouncementsTables["announcements"],
): Promise<boolean> {
  const row = await tx
    .insertInto("announcements")
    .values(announcement)
    .onConflict((conflict) => conflict.column("announcement_id").doNothing())
    .returning("announcement_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function readEmails(db: Db, announcementId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom("announcements")
    .select("encrypted_emails")
    .where("announcement_id", "=", announcementId)
    .executeTakeFirst();
  return row?.encrypted_emails ?? null;
}

export async function insertReceivers(
  tx: Tx,
  announcement_id: string,
  memberIds: readonly number[],
): Promise<number[]> {
  if (memberIds.length === 0) return [];
  const rows = await tx
    .insertInto("announced_members")
    .values(memberIds.map((member_no) => ({ member_no, announcement_id })))
    .onConflict((conflict) => conflict.columns(["member_no", "announcement_id"]).doNothing())
    .returning("member_no")
    .execute();
  return rows.map(({ member_no }) => member_no);
}

export async function countReceived(db: Db, memberId: number): Promise<number> {
  const { count } = await db
    .selectFrom("announced_members")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the whole table: for a job only. Returns the encrypted emails. */
export async function deleteBefore(tx: Tx, day: string): Promise<Buffer[]> {
  const rows = await tx
    .deleteFrom("announcements")
    .where("created_on", "<", day)
    .returning(["announcement_id", "encrypted_emails"])
    .execute();
  const ids = rows.map(({ announcement_id }) => announcement_id);
  if (ids.length > 0)
    await tx
      .deleteFrom("announced_members")
      .where("announcement_id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute();
  return rows.map(({ encrypted_emails }) => encrypted_emails);
}

export function announcementKeys(db: Db | Tx) {
  return db.selectFrom("announcements").select(keyIdIn("encrypted_emails").as("key_id"));
}
