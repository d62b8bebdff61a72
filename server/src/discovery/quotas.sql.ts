import { sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";

/** The row lock serialises parallel likes. */
export async function countLike(tx: Tx, memberId: number, day: string, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, likes_used) values (${memberId}, ${day}, 1)
    on conflict (member_no, day) do update set likes_used = quota_days.likes_used + 1
    where quota_days.likes_used < ${limit}
    returning likes_used`.execute(tx);
  return rows.length > 0;
}

export async function countCard(tx: Tx, memberId: number, day: string, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, cards_used) values (${memberId}, ${day}, 1)
    on conflict (member_no, day) do update set cards_used = quota_days.cards_used + 1
    where quota_days.cards_used < ${limit}
    returning cards_used`.execute(tx);
  return rows.length > 0;
}

/** Counts all of them or none. */
export async function countFaces(
  db: Db,
  { memberId, day, count, limit }: { memberId: number; day: string; count: number; limit: number },
): Promise<boolean> {
  const statement = sql`
    insert into quota_days (member_no, day, new_faces)
    values (${memberId}::int8, ${day}::date, ${count}::int4)
    on conflict (member_no, day) do update set new_faces = quota_days.new_faces + excluded.new_faces
    where quota_days.new_faces + excluded.new_faces <= ${limit}::int4
    returning new_faces`;
  return (await runPrepared(db, statement.compile(db))).length > 0;
}

export async function readFaces(db: Db, memberId: number, day: string): Promise<number> {
  const row = await db
    .selectFrom("quota_days")
    .select("new_faces")
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.new_faces ?? 0;
}

export async function readUsed(
  db: Db,
  memberId: number,
  day: string,
): Promise<{ likes: number; cards: number }> {
  const row = await db
    .selectFrom("quota_days")
    .select(["likes_used", "cards_used"])
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .executeTakeFirst();
  return { likes: row?.likes_used ?? 0, cards: row?.cards_used ?? 0 };
}

export async function readCounts(db: Db, memberId: number, day: string) {
  return db
    .selectFrom("quota_days")
    .select(["cards_used", "likes_used"])
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .executeTakeFirst();
}

export async function insertCounts(
  tx: Tx,
  counts: { member_no: number; day: string; cards_used: number; likes_used: number },
): Promise<void> {
  await tx
    .insertInto("quota_days")
    .values({ ...counts, daily_cards: [], card_fingerprints: [] })
    .execute();
}

export async function deleteQuotaDays(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("quota_days").where("member_no", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function deleteQuotaDaysBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom("quota_days").where("day", "<", day).execute();
}
