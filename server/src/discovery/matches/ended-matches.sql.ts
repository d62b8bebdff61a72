import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { DiscoveryTables } from "../tables.ts";

export async function insertEnded(
  tx: Tx,
  ended: readonly Insertable<DiscoveryTables["ended_matches"]>[],
): Promise<void> {
  if (ended.length > 0) await tx.insertInto("ended_matches").values(ended).execute();
}

export async function readEnded(db: Db, memberId: number, day: string) {
  return db
    .selectFrom("ended_matches")
    .select(["ended_id", "matched_on", "ended_on", "goodbye"])
    .where("member_no", "=", memberId)
    .where("kept_until", ">=", day)
    .orderBy("ended_on", "desc")
    .orderBy("ended_id")
    .execute();
}

export async function findEnded(db: Db, memberId: number, id: string): Promise<number | null | undefined> {
  const row = await db
    .selectFrom("ended_matches")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("ended_id", "=", id)
    .executeTakeFirst();
  return row && row.other_no;
}

export async function deleteEnded(db: Db, memberId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("ended_matches")
    .where("member_no", "=", memberId)
    .where("ended_id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function readEndedBySuspension(db: Db, other: number): Promise<number[]> {
  const found = await db
    .selectFrom("ended_matches")
    .select("member_no")
    .where("other_no", "=", other)
    .where("by_suspension", "=", true)
    .execute();
  return found.map(({ member_no }) => member_no);
}

export async function deleteEndedBySuspension(tx: Tx, other: number): Promise<void> {
  await tx
    .deleteFrom("ended_matches")
    .where("other_no", "=", other)
    .where("by_suspension", "=", true)
    .execute();
}

export async function deleteEndedOf(db: Db, memberId: number): Promise<void> {
  await db.deleteFrom("ended_matches").where("member_no", "=", memberId).execute();
}

/** The rows stay. Writes every shard. */
export async function forgetEndedWith(db: Db, memberId: number): Promise<void> {
  await db.updateTable("ended_matches").set({ other_no: null }).where("other_no", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function deleteEndedKeptUntil(db: Db, day: string): Promise<void> {
  await db
    .deleteFrom("ended_matches")
    .where("kept_until", "<", sql<string>`${day}::date`)
    .execute();
}
