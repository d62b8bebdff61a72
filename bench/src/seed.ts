import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { chordSquaredOf, type Invented, seal, vectorOf } from "./population.ts";

/** The address of the database that a server runs in its data folder. */
export function databaseIn(dataDir: string): string {
  const folder = join(dataDir, "postgres");
  const port = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "password"), "utf8");
  return `postgres://alcove:${password}@127.0.0.1:${port}/alcove`;
}

const BATCH = 5_000;

/** Writes members into the server's tables as it would have, thousands in a statement. */
export async function seedMembers(
  db: pg.Client,
  key: { id: string; bytes: Buffer },
  members: Iterable<Invented>,
) {
  let batch: Record<string, unknown>[] = [];
  for (const member of members) {
    batch.push(rowOf(member, key));
    if (batch.length === BATCH) await write(db, batch.splice(0));
  }
  if (batch.length > 0) await write(db, batch);
  batch = [];
  await db.query(`
    insert into cell_counts (c4, sex, n) select c4, sex, count(*)::int from searchables group by 1, 2
    on conflict (c4, sex) do update set n = excluded.n`);
  for (const table of ["members", "logins", "profiles", "searchables", "cell_counts"]) {
    await db.query(`vacuum analyze ${table}`);
  }
}

function rowOf(member: Invented, key: { id: string; bytes: Buffer }): Record<string, unknown> {
  const { no, place, maxKm, sex, seeks } = member;
  const [x, y, z] = vectorOf(place);
  const written = {
    username: `Member ${no}`,
    description: "I like quiet evenings, long walks along the river, and a good book when it rains. ".repeat(
      6,
    ),
    how_long_married: 12,
    how_long_married_unit: "year",
    tall: 165,
    tall_unit: "cm",
    weight: null,
    weight_unit: "kg",
    salary: null,
    salary_unit: "JPY",
    salary_duration: "year",
    purpose: null,
    hobby: "Gardening",
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
  };
  return {
    no,
    user_id: `m${no}`,
    sealed: `\\x${seal(key.bytes, key.id, no, JSON.stringify(written)).toString("hex")}`,
    sex,
    born: member.born,
    seeks,
    max_km: maxKm,
    min_age: member.minAge,
    max_age: member.maxAge,
    cell: place.cell,
    longitude: place.longitude,
    latitude: place.latitude,
    x,
    y,
    z,
    sex_bit: sex === "female" ? 1 : 2,
    want: { female: 1, male: 2, all: 3 }[seeks],
    c2_max: chordSquaredOf(maxKm),
    away: member.away,
  };
}

async function write(db: pg.Client, rows: readonly Record<string, unknown>[]): Promise<void> {
  const from = `from jsonb_to_recordset($1) as r (
    no int8, user_id text, sealed bytea, sex text, born date, seeks text, max_km int, min_age int, max_age int, cell int,
    longitude float8, latitude float8, x float4, y float4, z float4, sex_bit int2, want int2, c2_max float8, away int)`;
  const values = [JSON.stringify(rows)];
  await db.query(
    `insert into members (member_no, user_id, standing, language, created_at)
     select no, user_id, 'active', 'en', now() ${from}`,
    values,
  );
  await db.query(`insert into logins (folded_user_id, member_no) select user_id, no ${from}`, values);
  await db.query(
    `insert into profiles (member_no, sealed_profile, icon_process, sex, date_of_birth, search_sex, search_range_unit,
       search_min_range, search_max_range, search_min_age, search_max_age, cell, region, longitude, latitude, gps_updated_at)
     select no, sealed, true, sex, born, seeks, 'km', 0, max_km, min_age, max_age, cell, cell >> 18, longitude, latitude, now()
     ${from}`,
    values,
  );
  await db.query(
    `insert into searchables (member_no, region, c7, c6, c4, x, y, z, dob, sex, want, want_amin, want_amax, want_c2_min,
       want_c2_max, active_day, last_active, slot)
     select no, cell >> 18, cell, cell >> 3, cell >> 9, x, y, z, born, sex_bit, want, min_age, max_age, 0, c2_max,
       (current_date - date '1970-01-01') - away, now() - away * interval '1 day',
       (32767 - ((current_date - date '1970-01-01') - away)) << 10 | (random() * 1023)::int ${from}`,
    values,
  );
}
