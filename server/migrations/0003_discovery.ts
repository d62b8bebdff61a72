import { type Kysely, sql } from "kysely";

/** The candidate search after the measured design: a slim table of listed members, verdicts, likes, decks, matches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table searchables (
      member_no int8 not null,
      region int4 not null,
      c7 int4 not null,
      c6 int4 not null,
      c4 int4 not null,
      x float4 not null,
      y float4 not null,
      z float4 not null,
      dob date not null,
      sex int2 not null,
      want int2 not null,
      want_amin int2 not null,
      want_amax int2 not null,
      want_c2_min float8 not null,
      want_c2_max float8 not null,
      active_day int2 not null,
      last_active timestamptz not null,
      rev int4 not null default 0,
      primary key (region, member_no),
      constraint searchables_cells check (c6 = c7 >> 3 and c4 = c7 >> 9 and region = c7 >> 18),
      constraint searchables_sex check (sex in (1, 2)),
      constraint searchables_want check (want between 1 and 3)
    ) with (fillfactor = 85)`.execute(db);
  await sql`create index searchables_near on searchables (c6, sex, active_day desc)`.execute(db);
  await sql`create index searchables_far on searchables (c4, sex, active_day desc)`.execute(db);
  await sql`create index searchables_age on searchables (c4, sex, dob)`.execute(db);
  await sql`
    create table verdicts (
      actor int8 not null,
      target int8 not null,
      liked bool not null,
      at timestamptz not null,
      primary key (actor, target),
      constraint verdicts_not_self check (actor <> target)
    )`.execute(db);
  await sql`
    create table likes_received (
      target int8 not null,
      actor int8 not null,
      at timestamptz not null,
      primary key (target, actor),
      constraint likes_received_not_self check (actor <> target)
    )`.execute(db);
  await sql`create index likes_received_newest on likes_received (target, at desc)`.execute(db);
  await sql`
    create table decks (
      viewer int8 primary key,
      sig int8 not null,
      ids int8[] not null,
      exhausted bool not null,
      empty_reason text not null,
      built_at timestamptz not null,
      constraint decks_empty_reason check (empty_reason in ('nobody_in_range', 'all_seen', 'filters_too_narrow'))
    )`.execute(db);
  await sql`
    create table cell_counts (
      c4 int4 not null,
      sex int2 not null,
      n int4 not null,
      primary key (c4, sex)
    )`.execute(db);
  await sql`
    create table match_edges (
      member_no int8 not null,
      other_no int8 not null,
      at timestamptz not null,
      primary key (member_no, other_no),
      constraint match_edges_not_self check (member_no <> other_no)
    )`.execute(db);
  await sql`
    create table quota_days (
      member_no int8 not null,
      day date not null,
      cards int4 not null default 0,
      likes int4 not null default 0,
      hand int8[] not null default '{}',
      hand_marks int8[] not null default '{}',
      primary key (member_no, day),
      constraint quota_days_counts check (cards >= 0 and likes >= 0),
      constraint quota_days_hand check (cardinality(hand) = cardinality(hand_marks))
    )`.execute(db);
}
