import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

/** Counts a like of a paid member; false when the day's are used up. The row's lock makes parallel likes take turns. */
export async function countLike(tx: Tx, memberId: number, day: string, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, likes) values (${memberId}, ${day}, 1)
    on conflict (member_no, day) do update set likes = quota_days.likes + 1 where quota_days.likes < ${limit}
    returning likes`.execute(tx);
  return rows.length > 0;
}

/** Counts a card of a free member; false when the day's are used up. */
export async function countCard(tx: Tx, memberId: number, day: string, limit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, cards) values (${memberId}, ${day}, 1)
    on conflict (member_no, day) do update set cards = quota_days.cards + 1 where quota_days.cards < ${limit}
    returning cards`.execute(tx);
  return rows.length > 0;
}

export interface Hand {
  readonly memberIds: readonly number[];
  readonly marks: readonly number[];
}

export async function readDay(db: Db, memberId: number, day: string): Promise<{ cards: number; hand: Hand }> {
  const row = await db
    .selectFrom("quota_days")
    .select(["cards", "hand", "hand_marks"])
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .executeTakeFirst();
  if (!row) return { cards: 0, hand: { memberIds: [], marks: [] } };
  return { cards: row.cards, hand: { memberIds: row.hand.map(Number), marks: row.hand_marks.map(Number) } };
}

/** The same, locked until the end of the transaction: no card is dealt or spent meanwhile. */
export async function lockDay(tx: Tx, memberId: number, day: string): Promise<{ cards: number; hand: Hand }> {
  await tx
    .selectFrom("quota_days")
    .select("cards")
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .forNoKeyUpdate()
    .execute();
  return readDay(tx, memberId, day);
}

/** What a locked day has used and holds from now on. */
export async function updateDay(
  tx: Tx,
  memberId: number,
  day: string,
  { cards, hand }: { cards: number; hand: Hand },
): Promise<void> {
  await sql`
    update quota_days set cards = ${cards}, hand = ${hand.memberIds}::int8[], hand_marks = ${hand.marks}::int8[]
    where member_no = ${memberId} and day = ${day}`.execute(tx);
}

/** Deals a hand; false when another request has dealt or spent a card since `old` was read. */
export async function storeHand(
  db: Db,
  memberId: number,
  day: string,
  old: { cards: number; hand: Hand },
  hand: Hand,
): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, hand, hand_marks)
    values (${memberId}, ${day}, ${hand.memberIds}::int8[], ${hand.marks}::int8[])
    on conflict (member_no, day) do update set hand = excluded.hand, hand_marks = excluded.hand_marks
    where quota_days.cards = ${old.cards} and quota_days.hand = ${old.hand.memberIds}::int8[]
    returning member_no`.execute(db);
  return rows.length > 0;
}

export async function deleteDays(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("quota_days").where("member_no", "=", memberId).execute();
}

/** Takes somebody who is gone out of everybody's hand, its mark with it. Reads the whole table, for a job alone. */
export async function removeFromHands(db: Db, memberId: number): Promise<void> {
  await sql`
    update quota_days set
      hand = array(
        select h from unnest(hand, hand_marks) with ordinality as dealt (h, mark, i) where h <> ${memberId} order by i),
      hand_marks = array(
        select mark from unnest(hand, hand_marks) with ordinality as dealt (h, mark, i) where h <> ${memberId} order by i)
    where ${memberId}::int8 = any(hand)`.execute(db);
}

/** Reads the whole table, for the sweep alone. */
export async function deleteDaysBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom("quota_days").where("day", "<", day).execute();
}
