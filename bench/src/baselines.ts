import type pg from "pg";
import { CANDIDATE_DAYS } from "@alcove/contract/limits";
import { chordSquaredOf, monthOf, vectorOf } from "./population.ts";
import { BORN, type Viewer } from "./viewers.ts";

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
  and active_day >= floor(extract(epoch from now()) / 86400) - ${CANDIDATE_DAYS}
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
