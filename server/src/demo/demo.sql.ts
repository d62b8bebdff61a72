import { sql } from "kysely";
import { selectActiveMembers } from "../members/select-members.sql.ts";
import type { Db } from "../platform/db/database.ts";

export function readMembers(db: Db, memberIds: readonly number[]) {
  return selectActiveMembers(db)
    .select((eb) => [
      "m.member_no as memberId",
      "m.language",
      eb("m.encrypted_email", "is", null).as("isSample"),
    ])
    .where("m.member_no", "=", sql<number>`any(${memberIds}::int8[])`)
    .execute();
}

/** Returns members with a saved position, latest position first. Reads the whole table. */
export function readVisitors(db: Db, limit: number) {
  return selectActiveMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select(["m.member_no as memberId", "m.language", "p.sex", "p.search_sex as sought", "p.cell"])
    .where("m.encrypted_email", "is not", null)
    .where("p.cell", "is not", null)
    .orderBy("p.gps_updated_at", "desc")
    .limit(limit)
    .execute();
}

export function readVerdicts(db: Db, actors: readonly number[], targets: readonly number[]) {
  return db
    .selectFrom("verdicts")
    .select(["actor", "target"])
    .where("actor", "=", sql<number>`any(${actors}::int8[])`)
    .where("target", "=", sql<number>`any(${targets}::int8[])`)
    .execute();
}

export function readLikes(db: Db, targets: readonly number[]) {
  return db
    .selectFrom("likes_received")
    .select(["target as memberId", "actor as otherMemberId"])
    .where("target", "=", sql<number>`any(${targets}::int8[])`)
    .execute();
}

export async function readMatched(db: Db, memberIds: readonly number[]): Promise<number[]> {
  const found = await db
    .selectFrom("match_edges")
    .select("member_no")
    .distinct()
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`)
    .execute();
  return found.map(({ member_no }) => member_no);
}

export function readUnread(db: Db, memberIds: readonly number[]) {
  return db
    .selectFrom("inbox")
    .select(["member_no as memberId", "other_no as otherMemberId", "last_received_id as messageId"])
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", is.ref("last_received_id"))]))
    .$narrowType<{ messageId: string }>()
    .execute();
}
