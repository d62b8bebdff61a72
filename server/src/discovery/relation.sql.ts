import { sql } from "kysely";
import { type Db, runPrepared } from "../platform/db/database.ts";
import type { CardDays } from "../profiles/index.ts";

interface RelationRow extends CardDays {
  matchedOn: string | null;
  dealtOn: Date | null;
  /** The viewer's fingerprint when a deck dealt this member. */
  deckFingerprint: number | null;
}

/** Matches, chats and own blocks leave a verdict. That of a stranger's block would reveal it. */
export async function hasMet(db: Db, viewer: number, other: number): Promise<boolean> {
  const query = sql<{ met: boolean }>`
    select
      exists (select from verdicts where actor = ${viewer}::int8 and target = ${other}::int8 and met)
      or exists (select from quota_days where member_no = ${viewer}::int8 and ${other}::int8 = any(daily_cards))
      or exists (select from decks where viewer = ${viewer}::int8 and ${other}::int8 = any(dealt)) as met`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!.met;
}

export async function readRelation(db: Db, viewer: number, other: number): Promise<RelationRow | undefined> {
  const query = sql<RelationRow>`
    select
      p.arrival, p.arrival_zone, p.card_day_start, p.card_day_end,
      (select day from match_edges where member_no = ${viewer}::int8 and other_no = ${other}::int8) as "matchedOn",
      (
        select max(day_start) from quota_days where member_no = ${viewer}::int8 and ${other}::int8 = any(daily_cards)
      ) as "dealtOn",
      (select fingerprint from decks where viewer = ${viewer}::int8 and ${other}::int8 = any(dealt)) as "deckFingerprint"
    from profiles p where p.member_no = ${viewer}::int8`;
  return (await runPrepared(db, query.compile(db)))[0];
}
