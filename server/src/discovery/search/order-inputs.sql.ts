import { sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../../platform/db/database.ts";
import { CHATS_REMEMBERED, MAX_SHOWN_LATELY, SHOWN_DECAY, VERDICTS_REMEMBERED } from "./chances.ts";

const MAX_WAITING_LIKES = 20;

interface SearchRow {
  readonly memberId: number;
  readonly region: number;
}

export interface Counts {
  readonly waitingLikes: number;
  readonly freshMatches: number;
}

export async function countOrderInputs(db: Db, memberId: number, freshSince: string): Promise<Counts> {
  const counts = await countOrderInputsOf(db, [memberId], freshSince);
  return counts.get(memberId) ?? { waitingLikes: 0, freshMatches: 0 };
}

export async function countFreshMatches(db: Db, memberId: number, since: string): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count from match_edges
    where member_no = ${memberId}::int8 and day >= ${since}::date`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!.count;
}

/** Leaves out members without waiting likes and fresh matches. */
export async function countOrderInputsOf(
  db: Db,
  memberIds: readonly number[],
  freshSince: string,
): Promise<Map<number, Counts>> {
  if (memberIds.length === 0) return new Map();
  const [likes, matches] = await Promise.all([
    sql<{ memberId: number; count: number }>`
      select target as "memberId", least(count(*), ${sql.lit(MAX_WAITING_LIKES)})::int as count
      from likes_received where target = any(${memberIds}::int8[]) group by target`.execute(db),
    sql<{ memberId: number; count: number }>`
      select member_no as "memberId", count(*)::int as count from match_edges
      where member_no = any(${memberIds}::int8[]) and day >= ${freshSince}::date group by member_no`.execute(
      db,
    ),
  ]);
  const all = new Map<number, Counts>();
  for (const { memberId, count } of likes.rows) all.set(memberId, { waitingLikes: count, freshMatches: 0 });
  for (const { memberId, count } of matches.rows)
    all.set(memberId, { waitingLikes: all.get(memberId)?.waitingLikes ?? 0, freshMatches: count });
  return all;
}

export async function updateCounts(tx: Tx, { memberId, region }: SearchRow, counts: Counts): Promise<void> {
  await tx
    .updateTable("searchables")
    .set({ waiting_likes: counts.waitingLikes, fresh_matches: counts.freshMatches })
    .where("region", "=", region)
    .where("member_no", "=", memberId)
    .where((where) =>
      where.or([
        where("waiting_likes", "<>", counts.waitingLikes),
        where("fresh_matches", "<>", counts.freshMatches),
      ]),
    )
    .execute();
}

/** Reads every shard: for a job only. */
export async function readCountsAfter(
  db: Db,
  after: SearchRow,
  limit: number,
): Promise<(SearchRow & Counts)[]> {
  return db
    .selectFrom("searchables")
    .select(["region", "member_no as memberId", "waiting_likes as waitingLikes"])
    .select("fresh_matches as freshMatches")
    .where((where) =>
      where(where.refTuple("region", "member_no"), ">", where.tuple(after.region, after.memberId)),
    )
    .orderBy("region")
    .orderBy("member_no")
    .limit(limit)
    .execute();
}

export async function addGivenVerdict(
  db: Db,
  { memberId, region }: SearchRow,
  liked: boolean,
): Promise<void> {
  await sql`
    update searchables set gives = ${moved("gives", liked)}
    where region = ${region} and member_no = ${memberId}`.execute(db);
}

export async function addReceivedVerdict(
  db: Db,
  { memberId, region }: SearchRow,
  { liked, day }: { liked: boolean; day: number },
): Promise<void> {
  await sql`
    update searchables set
      gets = ${moved("gets", liked)},
      shown_lately = least(
        ${sql.lit(MAX_SHOWN_LATELY)},
        round(shown_lately * power(${sql.lit(SHOWN_DECAY)}, greatest(0, ${day}::int4 - shown_day)) + 10)
      )::int2,
      shown_day = greatest(shown_day, ${day}::int2)
    where region = ${region} and member_no = ${memberId}`.execute(db);
}

export interface Replies {
  readonly memberId: number;
  readonly replied: number;
  readonly silent: number;
}

export async function addReplies(db: Db, region: number, replies: readonly Replies[]): Promise<void> {
  const weight = sql.lit(CHATS_REMEMBERED);
  const moved = sql`round((${weight} * s.replies + 100 * r.replied) / (${weight} + r.replied + r.silent)::numeric)`;
  await sql`
    update searchables s set replies = ${moved}::int2
    from unnest(
      ${replies.map(({ memberId }) => memberId)}::int8[], ${replies.map(({ replied }) => replied)}::int4[],
      ${replies.map(({ silent }) => silent)}::int4[]
    ) as r (member_no, replied, silent)
    where s.region = ${region}::int4 and s.member_no = r.member_no and s.replies <> ${moved}`.execute(db);
}

export async function readRegionsOf(db: Db, memberIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("profiles")
    .select(["member_no", "region"])
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`)
    .execute();
  return new Map(
    rows.flatMap(({ member_no, region }) => (region === null ? [] : [[member_no, region] as const])),
  );
}

/** The share after one more verdict: a Beta distribution of fixed weight, in 100ths. */
function moved(column: "gives" | "gets", liked: boolean) {
  const weight = sql.lit(VERDICTS_REMEMBERED);
  return sql`round((${weight} * ${sql.ref(column)} + ${liked ? 100 : 0}::int4) / (${weight} + 1.0))::int2`;
}
