import { type RawBuilder, sql } from "kysely";
import { type Db, runPrepared } from "../platform/db/database.ts";
import { type Level, NEAR } from "./cells.ts";
import type { Vector } from "./distance.ts";
import type { Probe } from "./plan.ts";

/** What the rules of the search compare with, of the viewer. */
export interface Wanted {
  readonly memberId: number;
  readonly sexBit: number;
  readonly age: number;
  readonly bornFrom: string;
  readonly bornTo: string;
  readonly vector: Vector;
  readonly minChordSquared: number;
  readonly maxChordSquared: number;
}

export interface Found {
  readonly memberId: number;
  readonly activeDay: number;
  readonly chordSquared: number;
}

const columns = sql`s.member_no as "memberId", s.active_day as "activeDay"`;

/** The same operations in the same order as `chordSquaredBetween`, so that both say the same at a border. */
function chordSquared({ vector: [x, y, z] }: Wanted): RawBuilder<number> {
  return sql`(
    (${x}::float8 - s.x) * (${x}::float8 - s.x)
    + (${y}::float8 - s.y) * (${y}::float8 - s.y)
    + (${z}::float8 - s.z) * (${z}::float8 - s.z))`;
}

/** Each side's filter admits the other; sex is left to the probe, what was judged or blocked to `keep`. */
function rule(wanted: Wanted): RawBuilder<boolean> {
  const apart = chordSquared(wanted);
  return sql`(
    s.dob between ${wanted.bornFrom}::date and ${wanted.bornTo}::date
    and s.want_amin <= ${wanted.age}::int and s.want_amax >= ${wanted.age}::int
    and (s.want & ${wanted.sexBit}::int2) <> 0
    and ${apart} between greatest(${wanted.minChordSquared}::float8, s.want_c2_min)
      and least(${wanted.maxChordSquared}::float8, s.want_c2_max)
    and s.member_no <> ${wanted.memberId}::int8)`;
}

interface Walk {
  readonly level: Level;
  readonly region: number;
  readonly probes: readonly Probe[];
  readonly limit: number;
}

type Walked = Found & { ordinal: number };

/**
 * Looks into the cells of one region, in order, and stops at the limit. Reads `searchables_near` or `searchables_far`;
 * the order comes from the nested loop, so a plan can only ever cost rank.
 *
 * @returns the candidates with the place of their probe in `probes`
 */
export async function walkProbes(db: Db, wanted: Wanted, walk: Walk): Promise<Walked[]> {
  return runPrepared(db, walkProbesQuery(wanted, walk).compile(db));
}

/** The statement of `walkProbes`, of which a test reads the plan. */
export function walkProbesQuery(wanted: Wanted, { level, region, probes, limit }: Walk): RawBuilder<Walked> {
  const cell = level === NEAR ? sql.ref("s.c6") : sql.ref("s.c4");
  return sql<Walked>`
    select s.*, (p.ordinal - 1)::int4 as ordinal
    from unnest(
      ${probes.map((probe) => probe.cell)}::int4[], ${probes.map((probe) => probe.sex)}::int2[],
      ${probes.map((probe) => probe.fromSlot)}::int4[], ${probes.map((probe) => probe.toSlot)}::int4[]
    ) with ordinality as p (cell, sex, from_slot, to_slot, ordinal)
    cross join lateral (
      select ${columns}, ${chordSquared(wanted)} as "chordSquared"
      from searchables s
      where s.region = ${region}::int4 and ${cell} = p.cell and s.sex = p.sex
        and s.slot between p.from_slot and p.to_slot and ${rule(wanted)}
      order by s.slot
    ) s
    limit ${sql.lit(limit)}`;
}

interface SmallArea {
  readonly regions: readonly number[];
  readonly cells: readonly number[];
  readonly sexes: readonly number[];
  readonly limit: number;
}

interface SmallScore {
  readonly absenceDays: readonly number[];
  readonly chordsSquared: readonly number[];
  readonly weights: readonly [absence: number, distance: number];
  readonly seed: number;
}

/** Everybody who matches in a few cells, the best first, equals in an order of the seed. */
export async function readSmall(
  db: Db,
  wanted: Wanted,
  where: SmallArea,
  score: SmallScore,
): Promise<Found[]> {
  return runPrepared(db, readSmallQuery(wanted, where, score).compile(db));
}

/**
 * The statement of `readSmall`, of which a test reads the plan. `searchables_age` holds the region too: else the
 * database would gather everybody of the regions and cut the two sets.
 */
export function readSmallQuery(wanted: Wanted, where: SmallArea, score: SmallScore): RawBuilder<Found> {
  const [absenceWeight, distanceWeight] = score.weights;
  const apart = chordSquared(wanted);
  const absence = sql.join(
    score.absenceDays.map((day) => sql`(s.active_day < ${day}::int4)::int4`),
    sql` + `,
  );
  const distance = sql`width_bucket(${apart}, ${score.chordsSquared}::float8[])`;
  return sql<Found>`
    select ${columns}, ${apart} as "chordSquared"
    from searchables s
    where s.region = any(${where.regions}::int4[]) and s.c4 = any(${where.cells}::int4[])
      and s.sex = any(${where.sexes}::int2[]) and ${rule(wanted)}
    order by
      ${sql.lit(absenceWeight)} * (${absence}) + ${sql.lit(distanceWeight)} * (${distance}),
      hashint8extended(s.member_no, ${score.seed}::int8)
    limit ${sql.lit(where.limit)}`;
}

/** Of some members, by key, those who match, in any order. */
export async function readMatching(
  db: Db,
  wanted: Wanted,
  where: { regions: readonly number[]; memberIds: readonly number[]; sexes: readonly number[] },
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select ${columns}, ${chordSquared(wanted)} as "chordSquared" from searchables s
    where s.region = any(${where.regions}::int4[]) and s.member_no = any(${where.memberIds}::int8[])
      and s.sex = any(${where.sexes}::int2[]) and ${rule(wanted)}`.execute(db);
  return rows;
}

/** Some of those who are in range at all, whoever they are. */
export async function readAnybody(
  db: Db,
  wanted: Wanted,
  where: { regions: readonly number[]; cells: readonly number[]; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ memberId: number }>`
    select s.member_no as "memberId" from searchables s
    where s.region = any(${where.regions}::int4[]) and s.c4 = any(${where.cells}::int4[])
      and ${chordSquared(wanted)} between ${wanted.minChordSquared}::float8 and ${wanted.maxChordSquared}::float8
      and s.member_no <> ${wanted.memberId}::int8
    limit ${sql.lit(where.limit)}`.execute(db);
  return rows.map(({ memberId }) => memberId);
}

/** Drops whom the viewer has judged and who is blocked either way, in the viewer's shard; the order stays. */
export async function keep(
  db: Db,
  viewerMemberId: number,
  memberIds: readonly number[],
  passesSince: Date,
): Promise<number[]> {
  if (memberIds.length === 0) return [];
  const query = sql<{ memberId: number }>`
    select c.member_no as "memberId" from unnest(${memberIds}::int8[]) with ordinality as c (member_no, ordinal)
    where not exists (
        select from verdicts v
        where v.actor = ${viewerMemberId}::int8 and v.target = c.member_no and (v.liked or v.at > ${passesSince}::timestamptz))
      and not exists (select from block_edges b where b.owner = ${viewerMemberId}::int8 and b.other = c.member_no)
    order by c.ordinal`;
  return (await runPrepared(db, query.compile(db))).map(({ memberId }) => memberId);
}

/** Drops who is blocked either way, and nobody else. */
export async function keepUnblocked(
  db: Db,
  viewerMemberId: number,
  memberIds: readonly number[],
): Promise<number[]> {
  if (memberIds.length === 0) return [];
  const { rows } = await sql<{ memberId: number }>`
    select c.member_no as "memberId" from unnest(${memberIds}::int8[]) as c (member_no)
    where not exists (select from block_edges b where b.owner = ${viewerMemberId}::int8 and b.other = c.member_no)`.execute(
    db,
  );
  return rows.map(({ memberId }) => memberId);
}

/** Those who liked the viewer and have no answer yet, newest first: `likes_received_newest`. */
export async function readLikers(
  db: Db,
  viewerMemberId: number,
  { since, limit }: { since: Date | null; limit: number },
): Promise<number[]> {
  const query = db
    .selectFrom("likes_received")
    .select("actor")
    .where("target", "=", viewerMemberId)
    .$if(since !== null, (query) => query.where("at", ">=", since!))
    .orderBy("at", "desc")
    .limit(limit);
  const likers = await runPrepared(db, query.compile());
  return likers.map(({ actor }) => actor);
}

/** How many likes wait for an answer of each of these members, counted up to `most`; who has none is not there. */
export async function countWaiting(
  db: Db,
  memberIds: readonly number[],
  most: number,
): Promise<Map<number, number>> {
  const query = sql<{ memberId: number; n: number }>`
    select t.member_no as "memberId", count(*)::int as n
    from unnest(${memberIds}::int8[]) as t (member_no)
    cross join lateral (
      select from likes_received l where l.target = t.member_no limit ${sql.lit(most)}
    ) l
    group by t.member_no`;
  const rows = await runPrepared(db, query.compile(db));
  return new Map(rows.map(({ memberId, n }) => [memberId, n]));
}

/** Where some members are listed, by key. */
export async function readRegions(db: Db, memberIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ region: number }>`
    select distinct region from profiles
    where member_no = any(${memberIds}::int8[]) and region is not null`.execute(db);
  return rows.map(({ region }) => region);
}
