import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

export interface DailyCard {
  readonly memberId: number;
  readonly fingerprint: number;
}

export interface DealtCards {
  readonly dailyCards: readonly DailyCard[];
  readonly filterFingerprint: number | null;
  readonly isReplaced: boolean;
  readonly cameAt: Date | null;
}

export interface QuotaDay extends DealtCards {
  readonly cardsUsed: number;
  readonly isNew: boolean;
}

/** A new day keeps the cards of the newest earlier one. */
export async function readQuotaDay(db: Db, memberId: number, dayStart: Date): Promise<QuotaDay> {
  const row = await db
    .selectFrom("quota_days")
    .select(["day_start", "cards_used", "daily_cards", "card_fingerprints"])
    .select(["filter_fingerprint", "is_replaced", "came_at"])
    .where("member_no", "=", memberId)
    .where("day_start", "<=", dayStart)
    .orderBy("day_start", "desc")
    .limit(1)
    .executeTakeFirst();
  const isNew = row?.day_start.getTime() !== dayStart.getTime();
  const unused = { isNew, cardsUsed: 0, isReplaced: false };
  if (!row) return { ...unused, dailyCards: [], filterFingerprint: null, cameAt: null };
  const fingerprints = row.card_fingerprints.map(Number);
  const dailyCards = row.daily_cards.map(Number).map((card, i) => ({
    memberId: card,
    fingerprint: fingerprints[i]!,
  }));
  return {
    ...(isNew ? unused : { isNew, cardsUsed: row.cards_used, isReplaced: row.is_replaced }),
    dailyCards,
    filterFingerprint: row.filter_fingerprint,
    cameAt: row.came_at,
  };
}

export async function insertQuotaDay(
  tx: Tx,
  memberId: number,
  dayStart: Date,
  { dailyCards, filterFingerprint, cameAt }: DealtCards,
): Promise<void> {
  await tx
    .insertInto("quota_days")
    .values({
      member_no: memberId,
      day_start: dayStart,
      cards_used: 0,
      likes_used: 0,
      daily_cards: memberIdsOf(dailyCards),
      card_fingerprints: fingerprintsOf(dailyCards),
      filter_fingerprint: filterFingerprint,
      came_at: cameAt,
    })
    .onConflict((conflict) => conflict.columns(["member_no", "day_start"]).doNothing())
    .execute();
}

export async function bringCardBack(
  tx: Tx,
  memberId: number,
  dayStart: Date,
  card: DailyCard,
): Promise<void> {
  const { dailyCards } = await readQuotaDay(tx, memberId, dayStart);
  const cards = [card, ...dailyCards.filter((other) => other.memberId !== card.memberId)];
  await sql`
    update quota_days set came_at = null,
      daily_cards = ${memberIdsOf(cards)}::int8[], card_fingerprints = ${fingerprintsOf(cards)}::int8[]
    where member_no = ${memberId} and day_start = ${dayStart}`.execute(tx);
}

export async function lockQuotaDay(tx: Tx, memberId: number, dayStart: Date): Promise<QuotaDay> {
  await tx
    .selectFrom("quota_days")
    .select("cards_used")
    .where("member_no", "=", memberId)
    .where("day_start", "=", dayStart)
    .forNoKeyUpdate()
    .execute();
  return readQuotaDay(tx, memberId, dayStart);
}

export async function updateQuotaDay(
  tx: Tx,
  memberId: number,
  dayStart: Date,
  { cardsUsed, dailyCards }: Pick<QuotaDay, "cardsUsed" | "dailyCards">,
): Promise<void> {
  await sql`
    update quota_days set cards_used = ${cardsUsed},
      daily_cards = ${memberIdsOf(dailyCards)}::int8[], card_fingerprints = ${fingerprintsOf(dailyCards)}::int8[]
    where member_no = ${memberId} and day_start = ${dayStart}`.execute(tx);
}

/** Returns false if another request changed the cards after `old` was read. */
export async function storeDailyCards(
  db: Db,
  memberId: number,
  dayStart: Date,
  old: QuotaDay,
  { dailyCards, filterFingerprint, isReplaced, cameAt }: DealtCards,
): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day_start, daily_cards, card_fingerprints, filter_fingerprint, is_replaced,
      came_at)
    values (${memberId}, ${dayStart}, ${memberIdsOf(dailyCards)}::int8[], ${fingerprintsOf(dailyCards)}::int8[],
      ${filterFingerprint}, ${isReplaced}, ${cameAt})
    on conflict (member_no, day_start) do update
    set daily_cards = excluded.daily_cards, card_fingerprints = excluded.card_fingerprints,
      filter_fingerprint = excluded.filter_fingerprint, is_replaced = excluded.is_replaced, came_at = excluded.came_at
    where quota_days.cards_used = ${old.cardsUsed} and quota_days.daily_cards = ${memberIdsOf(old.dailyCards)}::int8[]
    returning member_no`.execute(db);
  return rows.length > 0;
}

/** Reads the whole table: for a job only. */
export async function removeFromDailyCards(db: Db, memberId: number): Promise<void> {
  await sql`
    update quota_days set
      daily_cards = array(
        select card from unnest(daily_cards, card_fingerprints) with ordinality as dealt (card, fingerprint, i)
        where card <> ${memberId} order by i),
      card_fingerprints = array(
        select fingerprint from unnest(daily_cards, card_fingerprints) with ordinality as dealt (card, fingerprint, i)
        where card <> ${memberId} order by i)
    where ${memberId}::int8 = any(daily_cards)`.execute(db);
}

function memberIdsOf(cards: readonly DailyCard[]): number[] {
  return cards.map(({ memberId }) => memberId);
}

function fingerprintsOf(cards: readonly DailyCard[]): number[] {
  return cards.map(({ fingerprint }) => fingerprint);
}
