import { sql } from "kysely";
import { createMember } from "../accounts/index.ts";
import { clearCellCounts } from "../discovery/search/cell-counts.ts";
import { chordRangeOf, SEX_BIT, SOUGHT_SEX_BITS } from "../discovery/search/mutual-filter.ts";
import { slotOf } from "../discovery/search/random-slots.ts";
import { activeDay } from "../discovery/search/search-index.ts";
import { search } from "../discovery/search/search.ts";
import type { Viewer } from "../discovery/search/viewer.ts";
import { cellAt, FAR, NEAR, parentOf, regionOf } from "../discovery/position/cells.ts";
import { placeOf } from "../discovery/position/places.ts";
import { monthOf, utcDay } from "../platform/clock.ts";
import { type Person, UNCHOSEN } from "../profiles/index.ts";
import { encryptProfileText } from "../profiles/profile-text.ts";
import { sampleProfile } from "./profile.ts";
import { NEWCOMER } from "./newcomer.ts";
import type { TestService } from "./test-service.ts";

export type Searcher = Pick<Person, "memberId" | "sex" | "dateOfBirth" | "filter"> & {
  cell: number;
  daysAway: number;
};

// With true counts the search reads a small area at once; with thousands of times more it uses probes.
export const SEARCH_PATHS = [
  ["reads a small area at once", 1],
  ["probes many cells", 5_000],
] as const;

export const EVERYONE = {
  sex: "all",
  unit: "km",
  minRange: 0,
  maxRange: 500,
  minAge: 0,
  maxAge: 120,
} as const;

/** A woman in Tokyo, active today, who seeks everyone. */
export function searcher(overrides: Partial<Searcher> & { memberId: number }): Searcher {
  return {
    sex: "female",
    dateOfBirth: "1985-01-01",
    filter: EVERYONE,
    cell: cellAt(139.7, 35.7),
    daysAway: 0,
    ...overrides,
  };
}

/** Thousands of sign-ups would take too long. */
export async function listSearchables(
  { ctx, db, clock }: TestService,
  people: readonly Searcher[],
): Promise<void> {
  for (const table of ["searchables", "verdicts", "block_edges", "cell_counts"] as const) {
    await sql`delete from ${sql.table(table)}`.execute(db); // faster than truncate for few rows
  }
  clearCellCounts(ctx);
  if (people.length === 0) return;
  const rows = people.map((one) => {
    const place = placeOf(ctx, one);
    const [x, y, z] = place.vector;
    const reach = chordRangeOf(one.filter);
    return {
      member_no: one.memberId,
      region: regionOf(place.cell),
      cell: place.cell,
      near_cell: parentOf(place.cell, NEAR),
      far_cell: parentOf(place.cell, FAR),
      x,
      y,
      z,
      birth_month: monthOf(one.dateOfBirth),
      sex: SEX_BIT[one.sex],
      sought_sexes: SOUGHT_SEX_BITS[one.filter.sex],
      sought_min_age: one.filter.minAge,
      sought_max_age: one.filter.maxAge,
      min_chord_squared: reach.min,
      max_chord_squared: reach.max,
      active_day: activeDay(clock.now()) - one.daysAway,
      slot: slotOf(activeDay(clock.now()) - one.daysAway, one.memberId % 1_024),
      waiting_likes: 0,
      fresh_matches: 0,
      gives: NEWCOMER.gives,
      gets: NEWCOMER.gets,
      presence: NEWCOMER.presence,
      replies: NEWCOMER.replies,
      shown_lately: NEWCOMER.shownLately,
      shown_day: activeDay(clock.now()),
    };
  });
  await sql`
    insert into searchables select * from jsonb_populate_recordset(null::searchables, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}

/** The members have the numbers 1, 2, 3 and so on. */
export async function storeProfiles(
  { ctx, db, clock }: TestService,
  people: readonly Searcher[],
): Promise<void> {
  const existing = await db.selectFrom("members").select("member_no").execute();
  for (let memberId = existing.length + 1; memberId <= people.length; memberId++) {
    const userId = `searcher_${memberId}`;
    await createMember(ctx, {
      userId,
      password: null,
      email: `${userId}@example.com`,
      language: "en",
      profile: sampleProfile({}),
      iconProcess: true,
    });
  }
  const now = clock.now();
  const encrypted = await Promise.all(
    people.map(({ memberId, dateOfBirth }) =>
      encryptProfileText(ctx.encryption, memberId, sampleProfile({ date_of_birth: dateOfBirth })),
    ),
  );
  const rows = people.map(({ memberId, sex, dateOfBirth, filter, cell }, i) => ({
    member_no: memberId,
    encrypted_profile: `\\x${encrypted[i]!.toString("hex")}`,
    sex,
    birth_month: monthOf(dateOfBirth),
    search_sex: filter.sex,
    search_range_unit: filter.unit,
    search_min_range: filter.minRange,
    search_max_range: filter.maxRange,
    search_min_age: filter.minAge,
    search_max_age: filter.maxAge,
    cell,
    region: regionOf(placeOf(ctx, { memberId, cell }).cell),
    sent_cell: cell,
    gps_updated_at: now,
    cell_counted_at: now,
    cell_changed_on: utcDay(now),
  }));
  const columns = Object.keys(rows[0] ?? {});
  const assignments = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`stored.${column}`)}`);
  if (rows.length > 0)
    await sql`
      update profiles p set ${sql.join(assignments)}
      from jsonb_populate_recordset(null::profiles, ${JSON.stringify(rows)}::jsonb) stored
      where p.member_no = stored.member_no`.execute(db);
}

export async function countCells({ ctx, db }: TestService, times: number): Promise<void> {
  await sql`
    insert into cell_counts (far_cell, sex, members) select far_cell, sex, (count(*) * ${times}::int)::int from searchables group by 1, 2
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(db);
  clearCellCounts(ctx);
}

export function viewerOf(one: Searcher): Viewer {
  return {
    ...one,
    region: regionOf(one.cell),
    isPaused: false,
    hasAreas: false,
    isPaid: true,
    deck: null,
    likesUsed: 0,
    cardDays: { ...UNCHOSEN, card_day_start: null, card_day_end: null },
  };
}

export async function findAll({ ctx }: TestService, viewer: Searcher): Promise<number[]> {
  const { memberIds } = await search(ctx, viewerOf(viewer), 10_000);
  return [...memberIds].toSorted((a, b) => a - b);
}
