import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { PRIVACY_VERSION, TERMS_VERSION } from "@alcove/contract/legal-versions";
import { DISTANCE_BANDS, SMALLEST_BAND } from "@alcove/contract/limits";
import {
  type BenchKeys,
  chordSquaredOf,
  createSecretPlace,
  createUserIdDigest,
  encryptProfile,
  encryptUserId,
  monthOf,
  type SampleMember,
  vectorOf,
  wrapMemberKey,
} from "./population.ts";

/** The URL of the embedded database in a data folder. */
export function databaseIn(dataDir: string): string {
  const folder = join(dataDir, "postgres");
  const port = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(folder, "password"), "utf8");
  return `postgres://alcove:${password}@127.0.0.1:${port}/alcove`;
}

export function postmasterIn(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0]);
}

const BATCH = 20_000;
const DAY_MS = 86_400_000;

type Cell = string | number | boolean;
type RowOf = (member: SampleMember) => readonly Cell[];

/** Without indexes during the COPY, which is faster. */
export async function seedMembers(
  db: pg.Client,
  key: BenchKeys,
  members: Iterable<SampleMember>,
): Promise<void> {
  const now = new Date();
  const tables = tablesOf(key, now);
  const indexStatements = await dropIndexes(db, "searchables");
  let batch: SampleMember[] = [];
  const write = async () => {
    for (const [table, columns, rowOf] of tables) await copy(db, table, columns, batch.map(rowOf));
    batch = [];
  };
  for (const member of members) {
    if (batch.push(member) === BATCH) await write();
  }
  await write();
  for (const statement of indexStatements) await db.query(statement);
  await countCells(db);
  for (const [table] of tables) await db.query(`vacuum analyze ${table}`);
}

async function countCells(db: pg.Client): Promise<void> {
  await db.query(`
    insert into cell_counts (far_cell, sex, members) select far_cell, sex, count(*)::int from searchables group by 1, 2
    on conflict (far_cell, sex) do update set members = excluded.members`);
  await db.query("vacuum analyze cell_counts");
}

/** Drops the indexes and returns the statements that create them. */
async function dropIndexes(db: pg.Client, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string; statement: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as statement
     from pg_index where indrelid = $1::regclass and not indisprimary`,
    [table],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return rows.map(({ statement }) => statement);
}

async function copy(
  db: pg.Client,
  table: string,
  columns: string,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const lines = rows.map((row) => `${row.join("\t")}\n`).join("");
  await pipeline(Readable.from([lines]), db.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
}

function tablesOf(key: BenchKeys, now: Date): [table: string, columns: string, RowOf][] {
  const at = now.toISOString();
  const digestOf = createUserIdDigest(key.pepper);
  const secretPlaceOf = createSecretPlace(key.pepper);
  const today = Math.floor(now.getTime() / DAY_MS);
  return [
    [
      "members",
      `member_no, encrypted_user_id, account_status, language, terms_version, privacy_version, encrypted_consents, visited_on,
       created_at`,
      ({ memberId, away }) => [
        memberId,
        hex(encryptUserId(memberId, `m${memberId}`)),
        "active",
        "en",
        TERMS_VERSION,
        PRIVACY_VERSION,
        hex(NO_CONSENTS),
        new Date(now.getTime() - away * DAY_MS).toISOString().slice(0, 10),
        at,
      ],
    ],
    ["logins", "user_id_digest, member_no", ({ memberId }) => [hex(digestOf(`m${memberId}`)), memberId]],
    [
      "data_keys",
      "key_id, master_key, wrapped_key",
      ({ memberId }) => [memberId, key.id, hex(wrapMemberKey(key.bytes, memberId))],
    ],
    [
      "profiles",
      `member_no, encrypted_profile, icon_process, sex, birth_month, search_sex, search_range_unit, search_min_range,
       search_max_range, search_min_age, search_max_age, cell, region, sent_cell, gps_updated_at,
       cell_counted_at, cell_changed_on`,
      ({ memberId, sex, born, seeks, maxKm, minAge, maxAge, place }) => [
        memberId,
        hex(encryptProfile(memberId, JSON.stringify({ date_of_birth: born, ...PROFILE_TEXT }))),
        true,
        sex,
        monthOf(born),
        seeks,
        "km",
        0,
        maxKm,
        minAge,
        maxAge,
        place.cell,
        secretPlaceOf(memberId, place).cell >> 18,
        place.cell,
        at,
        at,
        at.slice(0, 10),
      ],
    ],
    [
      "searchables",
      `member_no, region, cell, near_cell, far_cell, x, y, z, birth_month, sex, sought_sexes, sought_min_age, sought_max_age, min_chord_squared, max_chord_squared,
       active_day, slot, shown_day`,
      ({ memberId, sex, born, seeks, maxKm, minAge, maxAge, place, away, randomRank }) => {
        const secret = secretPlaceOf(memberId, place);
        return [
          memberId,
          secret.cell >> 18,
          secret.cell,
          secret.cell >> 3,
          secret.cell >> 9,
          ...vectorOf(secret),
          monthOf(born),
          sex === "female" ? 1 : 2,
          { female: 1, male: 2, all: 3 }[seeks],
          minAge,
          maxAge,
          0,
          chordSquaredOf(DISTANCE_BANDS.find((end) => Math.max(maxKm, SMALLEST_BAND.dealt) <= end)!),
          today - away,
          ((32_767 - today + away) << 10) | randomRank,
          today - 1,
        ];
      },
    ],
  ];
}

/** Only an export reads them. */
const NO_CONSENTS = Buffer.of(0);

const PROFILE_TEXT = {
  notes: [],
  username: "Member",
  description: "I like quiet evenings, long walks along the river, and a good book when it rains. ".repeat(6),
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

/** COPY's text format doubles backslashes. */
function hex(bytes: Buffer): string {
  return `\\\\x${bytes.toString("hex")}`;
}
