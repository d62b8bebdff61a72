import { sql } from "kysely";
import { type Db, runPrepared } from "../platform/db/database.ts";

interface RelationRow {
  matchedOn: string | null;
  isDailyCard: boolean;
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

export async function readRelation(db: Db, viewer: number, other: number, day: string): Promise<RelationRow> {
  const query = sql<RelationRow>`
    select
      (select day from match_edges where member_no = ${viewer}::int8 and other_no = ${other}::int8) as "matchedOn",
      exists (
        select from quota_days
        where member_no = ${viewer}::int8 and day = ${day}::date and ${other}::int8 = any(daily_cards)
      ) as "isDailyCard",
      (select fingerprint from decks where viewer = ${viewer}::int8 and ${other}::int8 = any(dealt)) as "deckFingerprint"`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!;
}
