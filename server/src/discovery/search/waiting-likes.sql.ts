import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { MAX_WAITING_LIKES } from "./ranking.ts";

export async function countWaitingLikes(db: Db, memberId: number): Promise<number> {
  const { rows } = await sql<{ likes: number }>`
    select count(*)::int as likes from (
      select from likes_received where target = ${memberId} limit ${sql.lit(MAX_WAITING_LIKES)}
    ) l`.execute(db);
  return rows[0]!.likes;
}

export async function updateWaitingLikes(
  tx: Tx,
  member: { memberId: number; region: number },
  likes: number,
): Promise<void> {
  await tx
    .updateTable("searchables")
    .set({ waiting_likes: likes })
    .where("region", "=", member.region)
    .where("member_no", "=", member.memberId)
    .where("waiting_likes", "<>", likes)
    .execute();
}

/** Reads every shard: for a job only. */
export async function readWaitingLikesAfter(
  db: Db,
  after: { region: number; memberId: number },
  limit: number,
): Promise<{ region: number; memberId: number; likes: number }[]> {
  return db
    .selectFrom("searchables")
    .select(["region", "member_no as memberId", "waiting_likes as likes"])
    .where((where) =>
      where(where.refTuple("region", "member_no"), ">", where.tuple(after.region, after.memberId)),
    )
    .orderBy("region")
    .orderBy("member_no")
    .limit(limit)
    .execute();
}

export async function countWaitingLikesOf(
  db: Db,
  memberIds: readonly number[],
): Promise<Map<number, number>> {
  if (memberIds.length === 0) return new Map();
  const { rows } = await sql<{ memberId: number; likes: number }>`
    select target as "memberId", least(count(*), ${sql.lit(MAX_WAITING_LIKES)})::int as likes
    from likes_received where target = any(${memberIds}::int8[]) group by target`.execute(db);
  return new Map(rows.map(({ memberId, likes }) => [memberId, likes]));
}
