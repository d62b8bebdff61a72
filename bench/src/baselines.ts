import type pg from "pg";
import { chordSquaredOf, monthOf, vectorOf } from "./population.ts";
import { BORN, type Viewer } from "./viewers.ts";

export interface BaselineResult {
  readonly found: number;
}

const MONTH = "(12 * extract(year from current_date) + extract(month from current_date) - 1)::int4";
const VIEWER_MONTHS = `(${MONTH} - ${monthOf(BORN)})`;

/** By months of birth, because exact dates are encrypted: in the month of a birthday, two ages are possible. */
const POSSIBLE_AGES = `s.birth_month between ${MONTH} - 12 * ($6::int4 + 1) and ${MONTH} - 12 * $5::int4
  and s.sought_min_age <= ${VIEWER_MONTHS} / 12 and s.sought_max_age >= (${VIEWER_MONTHS} - 1) / 12`;
const CERTAIN_AGES = `s.birth_month > ${MONTH} - 12 * ($6::int4 + 1) and s.birth_month < ${MONTH} - 12 * $5::int4
  and s.sought_min_age <= (${VIEWER_MONTHS} - 1) / 12 and s.sought_max_age >= ${VIEWER_MONTHS} / 12`;
const RULES = `
  sex = 1 and (sought_sexes & 2) <> 0 and s.member_no <> $1
  and ${POSSIBLE_AGES}
  and not exists (select from verdicts v where v.actor = $1 and v.target = s.member_no)`;
const APART = "(s.x - $2::float8) ^ 2 + (s.y - $3::float8) ^ 2 + (s.z - $4::float8) ^ 2";

function commonValues({ memberId, secretPlace, filter }: Viewer) {
  return [memberId, ...vectorOf(secretPlace).map(Math.fround), filter.minAge, filter.maxAge];
}

function ends({ filter }: Viewer) {
  return [chordSquaredOf(filter.minKm), chordSquaredOf(filter.maxKm)];
}

export async function readTen(db: pg.Client, nos: readonly number[]): Promise<void> {
  await db.query({
    name: "ten",
    text: "select m.encrypted_user_id, p.* from members m join profiles p using (member_no) where member_no = any($1::int8[])",
    values: [nos],
  });
}

/** One statement over the slim table; reads the nearest 60. */
export async function readPlainly(db: pg.Client, viewer: Viewer): Promise<void> {
  await db.query(
    `select member_no, ${APART} as apart from searchables s
     where ${RULES} and ${APART} between $7 and least($8, max_chord_squared) order by apart, active_day desc limit 60`,
    [...commonValues(viewer), ...ends(viewer)],
  );
}

export async function prepareKnn(db: pg.Client): Promise<boolean> {
  try {
    await db.query("create extension if not exists cube");
  } catch {
    return false;
  }
  await db.query(`create index bench_knn on searchables using gist (${CUBE})`);
  await db.query("vacuum analyze searchables");
  return true;
}

const CUBE = "cube(array[x::float8, y::float8, z::float8])";

/** The nearest 60 by a GiST index as in `earthdistance`, without sorting plans. */
export async function readKnn(db: pg.Client, viewer: Viewer): Promise<void> {
  await db.query(
    "begin; set local enable_bitmapscan = off; set local enable_sort = off; set local enable_seqscan = off",
  );
  await db.query(
    `select member_no from searchables s
     where ${RULES} and ${APART} between $7 and least($8, max_chord_squared)
     order by ${CUBE} <-> cube(array[$2::float8, $3::float8, $4::float8]) limit 60`,
    [...commonValues(viewer), ...ends(viewer)],
  );
  await db.query("commit");
}

/** `certain`: admitted by any day of birth in their month. */
export async function countAdmitted(
  db: pg.Client,
  viewer: Viewer,
  deck: readonly number[],
): Promise<{ all: number; certain: number; ofDeck: number }> {
  const { rows } = await db.query<{ all: string; certain: string; of_deck: string }>(
    `select count(*) as all, count(*) filter (where ${CERTAIN_AGES}) as certain,
       count(*) filter (where member_no = any($9::int8[])) as of_deck
     from searchables s
     where ${RULES} and ${APART} between $7 and least($8, max_chord_squared)`,
    [...commonValues(viewer), ...ends(viewer), deck],
  );
  const { all, certain, of_deck } = rows[0]!;
  return { all: Number(all), certain: Number(certain), ofDeck: Number(of_deck) };
}
