import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Db, runPrepared } from "../../platform/db/database.ts";
import { type Level, NEAR } from "../position/cells.ts";
import type { OrderInputs } from "./chances.ts";
import { HAS_AREAS } from "./mutual-filter.ts";
import type { Vector } from "../position/distance.ts";
import type { Probe } from "./plan.ts";

export interface Criteria {
  readonly memberId: number;
  readonly sexBit: number;
  readonly ages: { readonly least: number; readonly most: number };
  readonly birthMonths: { readonly first: number; readonly last: number };
  readonly vector: Vector;
  readonly minChordSquared: number;
  readonly maxChordSquared: number;
  readonly activeSince: number;
}

export interface FoundMember extends OrderInputs {
  readonly memberId: number;
  /** Of the secret place. */
  readonly cell: number;
  readonly activeDay: number;
  readonly chordSquared: number;
  /** Both months of birth suffice to admit each other's age. */
  readonly isCertain: boolean;
}

/** Same operations in the same order as `chordSquaredBetween`, to agree at a border. */
function chordSquared({ vector: [x, y, z] }: Criteria, alias: "s" | "i" = "s"): RawBuilder<number> {
  const of = sql.ref(alias);
  return sql`(
    (${x}::float8 - ${of}.x) * (${x}::float8 - ${of}.x)
    + (${y}::float8 - ${of}.y) * (${y}::float8 - ${of}.y)
    + (${z}::float8 - ${of}.z) * (${z}::float8 - ${of}.z))`;
}

function columns(criteria: Criteria): RawBuilder<unknown> {
  const { ages, birthMonths } = criteria;
  return sql`
    s.member_no as "memberId", s.cell, s.active_day as "activeDay", ${chordSquared(criteria)} as "chordSquared",
    s.waiting_likes as "waitingLikes", s.fresh_matches as "freshMatches", s.gives, s.gets, s.presence, s.replies,
    s.shown_lately as "shownLately", s.shown_day as "shownDay",
    (s.birth_month > ${birthMonths.first}::int4 and s.birth_month < ${birthMonths.last}::int4
      and s.sought_min_age <= ${ages.least}::int4 and s.sought_max_age >= ${ages.most}::int4
      and s.sought_sexes < ${sql.lit(HAS_AREAS)}) as "isCertain"`;
}

/** Leaves out sex (probe), the exact age, verdicts and blocks (`dropSeen`). */
function mutualFilter(criteria: Criteria): RawBuilder<boolean> {
  const { ages, birthMonths } = criteria;
  const distance = chordSquared(criteria);
  return sql`(
    s.birth_month between ${birthMonths.first}::int4 and ${birthMonths.last}::int4
    and s.active_day >= ${criteria.activeSince}::int4
    and s.sought_min_age <= ${ages.most}::int4 and s.sought_max_age >= ${ages.least}::int4
    and (s.sought_sexes & ${criteria.sexBit}::int2) <> 0
    and ${distance} between greatest(${criteria.minChordSquared}::float8, s.min_chord_squared)
      and least(${criteria.maxChordSquared}::float8, s.max_chord_squared)
    and s.member_no <> ${criteria.memberId}::int8)`;
}

export interface ProbePage {
  readonly level: Level;
  readonly region: number;
  readonly probes: readonly Probe[];
  readonly limit: number;
  /** The ids of seen members, to leave them out. */
  readonly seen: string | null;
}

type ProbedMember = FoundMember & { ordinal: number };

/**
 * The nested loop gives the order: another plan changes only the rank. With `seen`, `offset 0` lets the index alone
 * drop members before rows are read.
 */
export async function readProbes(db: Db, criteria: Criteria, page: ProbePage): Promise<ProbedMember[]> {
  return runPrepared(db, probesQuery(criteria, page).compile(db));
}

export function probesQuery(
  criteria: Criteria,
  { level, region, probes, limit, seen }: ProbePage,
): RawBuilder<ProbedMember> {
  const cell = level === NEAR ? "near_cell" : "far_cell";
  const probed = (alias: "s" | "i") => sql`
    ${sql.ref(`${alias}.region`)} = ${region}::int4 and ${sql.ref(`${alias}.${cell}`)} = p.cell
    and ${sql.ref(`${alias}.sex`)} = p.sex and ${sql.ref(`${alias}.slot`)} between p.from_slot and p.to_slot`;
  // The seen members may have a megabyte. Binary search in float8, which holds each number exactly, is fast.
  const members =
    seen === null
      ? sql`
        cross join lateral (
          select ${columns(criteria)} from searchables s
          where ${probed("s")} and ${mutualFilter(criteria)}
          order by s.slot
        ) s`
      : sql`
        cross join (select ${seen}::float8[] as ids) seen
        cross join lateral (
          select i.member_no from searchables i
          where ${probed("i")}
            and i.birth_month between ${criteria.birthMonths.first}::int4 and ${criteria.birthMonths.last}::int4
            and ${chordSquared(criteria, "i")} between ${criteria.minChordSquared}::float8 and ${criteria.maxChordSquared}::float8
            and seen.ids[width_bucket(i.member_no::float8, seen.ids)] is distinct from i.member_no::float8
          order by i.slot offset 0
        ) i
        cross join lateral (
          select ${columns(criteria)} from searchables s
          where s.region = ${region}::int4 and s.member_no = i.member_no and ${mutualFilter(criteria)}
          offset 0
        ) s`;
  return sql<ProbedMember>`
    select s.*, (p.ordinal - 1)::int4 as ordinal
    from unnest(
      ${probes.map((probe) => probe.cell)}::int4[], ${probes.map((probe) => probe.sex)}::int2[],
      ${probes.map((probe) => probe.fromSlot)}::int4[], ${probes.map((probe) => probe.toSlot)}::int4[]
    ) with ordinality as p (cell, sex, from_slot, to_slot, ordinal)
    ${members}
    limit ${sql.lit(limit)}`;
}

/** Returns a sorted array as text, for other statements. Hidden members may be missing. */
export async function readSeen(db: Db, viewerMemberId: number, passesSince: string): Promise<string> {
  const query = sql<{ seen: string }>`
    select coalesce(array_agg(v.target::float8 order by v.target), '{}')::text as seen from verdicts v
    where v.actor = ${viewerMemberId}::int8 and (v.liked or v.day >= ${passesSince}::date)`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!.seen;
}

interface SmallArea {
  readonly regions: readonly number[];
  readonly cells: readonly number[];
  readonly sexes: readonly number[];
  readonly limit: number;
}

interface SmallScore {
  /** Members that were here since the first day and not shown after the second come first. */
  readonly unseen: { readonly activeSince: number; readonly shownUntil: number };
  readonly absenceDays: readonly number[];
  readonly chordsSquared: readonly number[];
  readonly weights: readonly [absence: number, distance: number];
  readonly seed: number;
}

export async function readSmallArea(
  db: Db,
  criteria: Criteria,
  area: SmallArea,
  score: SmallScore,
): Promise<FoundMember[]> {
  return runPrepared(db, smallAreaQuery(criteria, area, score).compile(db));
}

/** `searchables_age` contains the region: without it, the planner intersects all rows of the regions. */
export function smallAreaQuery(
  criteria: Criteria,
  area: SmallArea,
  score: SmallScore,
): RawBuilder<FoundMember> {
  const [absenceWeight, distanceWeight] = score.weights;
  const chord = chordSquared(criteria);
  const absence = sql.join(
    score.absenceDays.map((day) => sql`(s.active_day < ${day}::int4)::int4`),
    sql` + `,
  );
  const distance = sql`width_bucket(${chord}, ${score.chordsSquared}::float8[])`;
  return sql<FoundMember>`
    select ${columns(criteria)}
    from searchables s
    where s.region = any(${area.regions}::int4[]) and s.far_cell = any(${area.cells}::int4[])
      and s.sex = any(${area.sexes}::int2[]) and ${mutualFilter(criteria)}
    order by
      s.active_day < ${score.unseen.activeSince}::int4 or s.shown_day > ${score.unseen.shownUntil}::int4,
      ${sql.lit(absenceWeight)} * (${absence}) + ${sql.lit(distanceWeight)} * (${distance}),
      hashint8extended(s.member_no, ${score.seed}::int8)
    limit ${sql.lit(area.limit)}`;
}

export async function readMatching(
  db: Db,
  criteria: Criteria,
  area: { regions: readonly number[]; memberIds: readonly number[]; sexes: readonly number[] },
): Promise<FoundMember[]> {
  const { rows } = await sql<FoundMember>`
    select ${columns(criteria)} from searchables s
    where s.region = any(${area.regions}::int4[]) and s.member_no = any(${area.memberIds}::int8[])
      and s.sex = any(${area.sexes}::int2[]) and ${mutualFilter(criteria)}`.execute(db);
  return rows;
}

export async function readInRange(
  db: Db,
  criteria: Criteria,
  area: { regions: readonly number[]; cells: readonly number[]; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ memberId: number }>`
    select s.member_no as "memberId" from searchables s
    where s.region = any(${area.regions}::int4[]) and s.far_cell = any(${area.cells}::int4[])
      and ${chordSquared(criteria)} between ${criteria.minChordSquared}::float8 and ${criteria.maxChordSquared}::float8
      and s.active_day >= ${criteria.activeSince}::int4 and s.member_no <> ${criteria.memberId}::int8
      and (s.sought_sexes & 3) <> 0
    limit ${sql.lit(area.limit)}`.execute(db);
  return rows.map(({ memberId }) => memberId);
}

/** Drops members with the viewer's verdict and hidden ones. Keeps the order. */
export async function dropSeen(
  db: Db,
  viewerMemberId: number,
  memberIds: readonly number[],
  passesSince: string,
): Promise<number[]> {
  if (memberIds.length === 0) return [];
  const found = await runPrepared(db, unseenQuery(viewerMemberId, memberIds, passesSince));
  return found.map(({ memberId }) => memberId);
}

const UNSEEN = `
  select c.member_no as "memberId" from unnest($1::int8[]) with ordinality as c (member_no, ordinal)
  where not exists (
      select from verdicts v
      where v.actor = $2::int8 and v.target = c.member_no and (v.liked or v.day >= $3::date))
    and not exists (select from block_edges b where b.owner = $2::int8 and b.other = c.member_no)
  order by c.ordinal`;

const unseenQuery = (viewerMemberId: number, memberIds: readonly number[], passesSince: string) =>
  CompiledQuery.raw(UNSEEN, [memberIds, viewerMemberId, passesSince]) as CompiledQuery<{ memberId: number }>;

export async function readLikersAndDropSeen(
  db: Db,
  viewerMemberId: number,
  { page, memberIds, passesSince }: { page: LikersPage; memberIds: readonly number[]; passesSince: string },
): Promise<{ likers: Liker[]; unseen: number[] }> {
  const [likers, unseen] = await Promise.all([
    readLikers(db, viewerMemberId, page),
    runPrepared(db, unseenQuery(viewerMemberId, memberIds, passesSince)),
  ]);
  return { likers, unseen: unseen.map(({ memberId }) => memberId) };
}

export async function readLikers(db: Db, viewerMemberId: number, page: LikersPage): Promise<Liker[]> {
  return runPrepared(db, likersQuery(viewerMemberId, page).compile(db));
}

interface Liker {
  readonly actor: number;
  readonly sequence_no: number;
}

interface LikersPage {
  readonly after: number | null;
  readonly limit: number;
}

/**
 * Hidden members must not displace others.
 *
 * `offset 0` keeps one lookup by key per like. A join would compare each like with each hidden member.
 */
export function likersQuery(viewerMemberId: number, { after, limit }: LikersPage): RawBuilder<Liker> {
  const isNew = after === null ? sql`true` : sql`l.sequence_no > ${after}::int8`;
  return sql<Liker>`
    select l.actor, l.sequence_no from likes_received l
    where l.target = ${viewerMemberId}::int8 and ${isNew}
      and not exists (select from block_edges b where b.owner = ${viewerMemberId}::int8 and b.other = l.actor offset 0)
    order by l.sequence_no desc limit ${sql.lit(limit)}`;
}

export async function readRegions(db: Db, memberIds: readonly number[]): Promise<number[]> {
  if (memberIds.length === 0) return [];
  const { rows } = await sql<{ region: number }>`
    select distinct region from profiles
    where member_no = any(${memberIds}::int8[]) and region is not null`.execute(db);
  return rows.map(({ region }) => region);
}
