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
}

export interface QuotaDay extends DealtCards {
  readonly cardsUsed: number;
}

export async function readQuotaDay(db: Db, memberId: number, day: string): Promise<QuotaDay> {
  const row = await db
    .selectFrom("quota_days")
    .select(["cards_used", "daily_cards", "card_fingerprints", "filter_fingerprint", "is_replaced"])
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .executeTakeFirst();
  if (!row) return { cardsUsed: 0, dailyCards: [], filterFingerprint: null, isReplaced: false };
  const fingerprints = row.card_fingerprints.map(Number);
  const dailyCards = row.daily_cards.map(Number).map((card, i) => ({
    memberId: card,
    fingerprint: fingerprints[i]!,
  }));
  return {
    cardsUsed: row.cards_used,
    dailyCards,
    filterFingerprint: row.filter_fingerprint,
    isReplaced: row.is_replaced,
  };
}

export async function lockQuotaDay(tx: Tx, memberId: number, day: string): Promise<QuotaDay> {
  await tx
    .selectFrom("quota_days")
    .select("cards_used")
    .where("member_no", "=", memberId)
    .where("day", "=", day)
    .forNoKeyUpdate()
    .execute();
  return readQuotaDay(tx, memberId, day);
}

export async function updateQuotaDay(
  tx: Tx,
  memberId: number,
  day: string,
  { cardsUsed, dailyCards }: Pick<QuotaDay, "cardsUsed" | "dailyCards">,
): Promise<void> {
  await sql`
    update quota_days set cards_used = ${cardsUsed},
      daily_cards = ${memberIdsOf(dailyCards)}::int8[], card_fingerprints = ${fingerprintsOf(dailyCards)}::int8[]
    where member_no = ${memberId} and day = ${day}`.execute(tx);
}

/** Returns false if another request changed the cards after `old` was read. */
export async function storeDailyCards(
  db: Db,
  memberId: number,
  day: string,
  old: QuotaDay,
  { dailyCards, filterFingerprint, isReplaced }: DealtCards,
): Promise<boolean> {
  const { rows } = await sql`
    insert into quota_days (member_no, day, daily_cards, card_fingerprints, filter_fingerprint, is_replaced)
    values (${memberId}, ${day}, ${memberIdsOf(dailyCards)}::int8[], ${fingerprintsOf(dailyCards)}::int8[],
      ${filterFingerprint}, ${isReplaced})
    on conflict (member_no, day) do update
    set daily_cards = excluded.daily_cards, card_fingerprints = excluded.card_fingerprints,
      filter_fingerprint = excluded.filter_fingerprint, is_replaced = excluded.is_replaced
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
