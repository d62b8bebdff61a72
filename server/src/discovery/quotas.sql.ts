import { sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { CardDays } from "../profiles/index.ts";

/** The row lock serialises parallel likes. */
export async function countLike(tx: Tx, memberId: number, dayStart: Date, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day_start, likes_used) values (${memberId}, ${dayStart}, 1)
    on conflict (member_no, day_start) do update set likes_used = quota_days.likes_used + 1
    where quota_days.likes_used < ${limit}
    returning likes_used`.execute(tx);
  return rows.length > 0;
}

export async function countCard(tx: Tx, memberId: number, dayStart: Date, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day_start, cards_used) values (${memberId}, ${dayStart}, 1)
    on conflict (member_no, day_start) do update set cards_used = quota_days.cards_used + 1
    where quota_days.cards_used < ${limit}
    returning cards_used`.execute(tx);
  return rows.length > 0;
}

/** Counts all of them or none. */
export async function countFaces(
  db: Db,
  { memberId, dayStart, count, limit }: { memberId: number; dayStart: Date; count: number; limit: number },
): Promise<boolean> {
  const statement = sql`
    insert into quota_days (member_no, day_start, new_faces)
    values (${memberId}::int8, ${dayStart}::timestamptz, ${count}::int4)
    on conflict (member_no, day_start) do update set new_faces = quota_days.new_faces + excluded.new_faces
    where quota_days.new_faces + excluded.new_faces <= ${limit}::int4
    returning new_faces`;
  return (await runPrepared(db, statement.compile(db))).length > 0;
}

export async function readFaces(db: Db, memberId: number, dayStart: Date): Promise<number> {
  const row = await db
    .selectFrom("quota_days")
    .select("new_faces")
    .where("member_no", "=", memberId)
    .where("day_start", "=", dayStart)
    .executeTakeFirst();
  return row?.new_faces ?? 0;
}

/** Each subquery names the member, so that a cluster asks one shard. */
export async function readUsed(
  db: Db,
  memberId: number,
  { paidDayStart, freeCardsPerDay }: { paidDayStart: Date; freeCardsPerDay: number },
): Promise<(CardDays & { likes: number; usedCardDay: Date | null }) | undefined> {
  const query = sql<CardDays & { likes: number; usedCardDay: Date | null }>`
    select p.arrival, p.arrival_zone, p.card_day_start, p.card_day_end,
      coalesce((
        select likes_used from quota_days q
        where q.member_no = ${memberId}::int8 and q.day_start = ${paidDayStart}::timestamptz), 0) as likes,
      (
        select max(day_start) from quota_days q
        where q.member_no = ${memberId}::int8 and q.cards_used >= ${freeCardsPerDay}::int4) as "usedCardDay"
    from profiles p where p.member_no = ${memberId}::int8`;
  return (await runPrepared(db, query.compile(db)))[0];
}

export async function readCounts(
  db: Db,
  memberId: number,
  dayStart: Date,
): Promise<{ likes: number; cards: number }> {
  const row = await db
    .selectFrom("quota_days")
    .select(["likes_used", "cards_used"])
    .where("member_no", "=", memberId)
    .where("day_start", "=", dayStart)
    .executeTakeFirst();
  return { likes: row?.likes_used ?? 0, cards: row?.cards_used ?? 0 };
}

export async function readNewestCardDay(tx: Tx, memberId: number): Promise<Date | null> {
  const row = await tx
    .selectFrom("quota_days")
    .select("day_start")
    .where("member_no", "=", memberId)
    .where((is) => is.or([is("cards_used", ">", 0), is("daily_cards", "<>", sql<number[]>`'{}'`)]))
    .orderBy("day_start", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.day_start ?? null;
}

export async function insertCounts(
  tx: Tx,
  memberId: number,
  dayStart: Date,
  counts: { cards_used?: number; likes_used?: number },
): Promise<void> {
  await tx
    .insertInto("quota_days")
    .values({
      member_no: memberId,
      day_start: dayStart,
      daily_cards: [],
      card_fingerprints: [],
      cards_used: 0,
      likes_used: 0,
      ...counts,
    })
    .onConflict((conflict) => conflict.columns(["member_no", "day_start"]).doUpdateSet(counts))
    .execute();
}

export async function deleteQuotaDays(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("quota_days").where("member_no", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function deleteQuotaDaysBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("quota_days").where("day_start", "<", before).execute();
}
