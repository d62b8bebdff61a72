import { type Kysely, sql } from "kysely";

/**
 * Candidate search (docs/search.md), verdicts, likes, matches and quotas.
 *
 * `slot` counts days backwards, then random ranks within a day, so that each search can start at another place within a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table searchables (
      member_no int8 not null,
      region int4 not null,
      cell int4 not null,
      near_cell int4 not null,
      far_cell int4 not null,
      x float4 not null,
      y float4 not null,
      z float4 not null,
      birth_month int4 not null,
      sex int2 not null,
      sought_sexes int2 not null,
      sought_min_age int2 not null,
      sought_max_age int2 not null,
      min_chord_squared float8 not null,
      max_chord_squared float8 not null,
      active_day int2 not null,
      slot int4 not null,
      waiting_likes int2 not null default 0,
      fresh_matches int2 not null default 0,
      gives int2 not null default 40,
      gets int2 not null default 40,
      presence int2 not null default 50,
      replies int2 not null default 50,
      shown_lately int2 not null default 0,
      shown_day int2 not null,
      primary key (region, member_no),
      constraint searchables_cells check (near_cell = cell >> 3 and far_cell = cell >> 9 and region = cell >> 18),
      constraint searchables_sex check (sex in (1, 2)),
      constraint searchables_sought_sexes check ((sought_sexes & 15) in (1, 2, 3, 4, 8, 12) and sought_sexes < 32),
      constraint searchables_slot check (slot >> 10 = 32767 - active_day)
    ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.002)`.execute(db);
  // With these columns and frequent vacuums, a search drops seen members and those out of range without reading their rows.
  await sql`create index searchables_near on searchables (near_cell, sex, slot) include (region, member_no, birth_month, x, y, z)`.execute(
    db,
  );
  await sql`create index searchables_far on searchables (far_cell, sex, slot) include (region, member_no, birth_month, x, y, z)`.execute(
    db,
  );
  // With the region, a search of a few cells reads no other rows of a region.
  await sql`create index searchables_age on searchables (far_cell, sex, birth_month, region)`.execute(db);
  // A sequence for each table orders its rows within a day. One for all would date them by rows with an exact time.
  await sql`create sequence verdict_sequence as bigint`.execute(db);
  await sql`
    create table verdicts (
      actor int8 not null,
      target int8 not null,
      liked bool not null,
      by_block bool not null default false,
      met bool not null default true,
      day date not null,
      sequence_no int8 not null,
      primary key (actor, target) include (liked, day),
      constraint verdicts_not_self check (actor <> target)
    )`.execute(db);
  await sql`
    create table likes_received (
      target int8 not null,
      actor int8 not null,
      sequence_no int8 not null,
      primary key (target, actor),
      constraint likes_received_not_self check (actor <> target)
    )`.execute(db);
  await sql`create index likes_received_newest on likes_received (target, sequence_no desc)`.execute(db);
  await sql`
    create table last_verdicts (
      member_no int8 primary key,
      target int8 not null,
      sequence_no int8 not null,
      day_start timestamptz not null,
      used_card bool not null,
      card_fingerprint int8,
      liked bool not null,
      keeps_quota bool not null,
      is_undone bool not null default false,
      constraint last_verdicts_not_self check (member_no <> target)
    )`.execute(db);
  // Unlogged, because a search rebuilds them.
  await sql`
    create unlogged table decks (
      viewer int8 primary key,
      fingerprint int8 not null,
      ids int8[] not null,
      dealt int8[] not null default '{}',
      empty_reason text not null,
      suggestion text,
      suggested_max_range smallint,
      newest_like_no int8 not null,
      built_at timestamptz not null,
      rev int4 not null default 0,
      constraint decks_empty_reason check (empty_reason in ('nobody_in_range', 'all_seen', 'filters_too_narrow')),
      constraint decks_suggestion
        check (suggestion in ('wider_distance', 'wider_age', 'wider_distance_and_age', 'all_sexes'))
    )`.execute(db);
  await sql`
    create table cell_counts (
      far_cell int4 not null,
      sex int2 not null,
      members int4 not null,
      primary key (far_cell, sex)
    )`.execute(db);
  await sql`create sequence match_sequence as bigint`.execute(db);
  await sql`
    create table match_edges (
      member_no int8 not null,
      other_no int8 not null,
      day date not null,
      sequence_no int8 not null,
      is_new boolean not null default true,
      opened_on date,
      primary key (member_no, other_no),
      constraint match_edges_not_self check (member_no <> other_no)
    )`.execute(db);
  await sql`
    create table ended_matches (
      member_no int8 not null,
      ended_id uuid not null,
      other_no int8,
      matched_on date not null,
      ended_on date not null,
      kept_until date not null,
      goodbye int2,
      by_suspension bool not null default false,
      primary key (member_no, ended_id),
      constraint ended_matches_goodbye check (goodbye between 1 and 4)
    )`.execute(db);
  await sql`create index ended_matches_other on ended_matches (other_no)`.execute(db);
  await sql`
    create table quota_days (
      member_no int8 not null,
      day_start timestamptz not null,
      cards_used int4 not null default 0,
      likes_used int4 not null default 0,
      daily_cards int8[] not null default '{}',
      card_fingerprints int8[] not null default '{}',
      filter_fingerprint int8,
      is_replaced bool not null default false,
      came_at timestamptz,
      new_faces int4 not null default 0,
      primary key (member_no, day_start),
      constraint quota_days_counts check (cards_used >= 0 and likes_used >= 0 and new_faces >= 0),
      constraint quota_days_daily_cards check (cardinality(daily_cards) = cardinality(card_fingerprints))
    )`.execute(db);
  await sql`create sequence clear_icon_viewer_sequence as bigint`.execute(db);
  await sql`
    create table clear_icon_viewers (
      member_no int8 not null,
      viewer_no int8 not null,
      sequence_no int8 not null,
      primary key (member_no, viewer_no),
      constraint clear_icon_viewers_not_self check (member_no <> viewer_no)
    )`.execute(db);
}
