import type pg from "pg";
import { chordSquaredOf, vectorOf } from "./population.ts";
import { BORN, type Viewer } from "./viewers.ts";

/** Other designs of the search, and a direct reading of the rules. */
export interface BaselineResult {
  readonly found: number;
}

const RULES = `
  sex = 1 and (sought_sexes & 2) <> 0 and s.member_no <> $1
  and extract(year from age(current_date, date_of_birth)) between $5 and $6
  and extract(year from age(current_date, date '${BORN}')) between sought_min_age and sought_max_age
  and not exists (select from verdicts v where v.actor = $1 and v.target = s.member_no)`;
const APART = "(s.x - $2::float8) ^ 2 + (s.y - $3::float8) ^ 2 + (s.z - $4::float8) ^ 2";

function commonValues({ memberId, place, filter }: Viewer) {
  return [memberId, ...vectorOf(place).map(Math.fround), filter.minAge, filter.maxAge];
}

function ends({ filter }: Viewer) {
  return [chordSquaredOf(filter.minKm), chordSquaredOf(filter.maxKm)];
}

export async function readTen(db: pg.Client, nos: readonly number[]): Promise<void> {
  await db.query({
    name: "ten",
    text: "select m.user_id, p.* from members m join profiles p using (member_no) where member_no = any($1::int8[])",
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

/** On the whole profiles by a bounding box, without an index. */
export async function readBox(db: pg.Client, viewer: Viewer): Promise<void> {
  const { place, filter } = viewer;
  const north = filter.maxKm / 111;
  const east = north / Math.cos((place.latitude * Math.PI) / 180);
  await db.query(
    `select s.member_no, ${DEGREES_APART} as apart from profiles s
     where s.latitude between $3 - $7::float8 and $3 + $7::float8 and s.longitude between $2 - $8::float8 and $2 + $8::float8
       and s.sex = 'female' and s.search_sex in ('male', 'all') and s.member_no <> $1
       and extract(year from age(current_date, s.date_of_birth)) between $4 and $5
       and extract(year from age(current_date, date '${BORN}')) between s.search_min_age and s.search_max_age
       and ${DEGREES_APART} between $6 and least($9, s.search_max_range)
       and not exists (select from verdicts v where v.actor = $1 and v.target = s.member_no)
     order by apart limit 60`,
    [
      viewer.memberId,
      place.longitude,
      place.latitude,
      filter.minAge,
      filter.maxAge,
      filter.minKm,
      north,
      east,
      filter.maxKm,
    ],
  );
}

const DEGREES_APART = `(12742 * asin(least(1, sqrt(sin(radians(s.latitude - $3::float8) / 2) ^ 2
  + cos(radians($3::float8)) * cos(radians(s.latitude)) * sin(radians(s.longitude - $2::float8) / 2) ^ 2))))`;

/** Returns false without the extension `cube`. */
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

export async function countAdmitted(
  db: pg.Client,
  viewer: Viewer,
  deck: readonly number[],
): Promise<{ all: number; ofDeck: number }> {
  const { rows } = await db.query<{ all: string; of_deck: string }>(
    `select count(*) as all, count(*) filter (where member_no = any($9::int8[])) as of_deck from searchables s
     where ${RULES} and ${APART} between $7 and least($8, max_chord_squared)`,
    [...commonValues(viewer), ...ends(viewer), deck],
  );
  return { all: Number(rows[0]!.all), ofDeck: Number(rows[0]!.of_deck) };
}
