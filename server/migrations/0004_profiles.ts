import { type Kysely, sql } from "kysely";

/** Profiles and filters. The member's text is encrypted; columns for the search are not. `more_pictures` has the second and third picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profiles (
      member_no int8 primary key,
      encrypted_profile bytea not null,
      icon_media uuid,
      icon_process bool not null,
      clear_icon_media uuid,
      more_pictures jsonb not null default '[]',
      sex text not null,
      birth_month int4 not null,
      search_sex text not null,
      search_range_unit text not null,
      search_min_range int4 not null,
      search_max_range int4 not null,
      search_min_age int4 not null,
      search_max_age int4 not null,
      cell int4,
      region int4,
      sent_cell int4,
      gps_updated_at timestamptz,
      location_precision text not null default 'cell',
      cell_counted_at timestamptz,
      cell_changes int2 not null default 0,
      cell_changed_on date,
      is_suspended bool not null default false,
      limited_until timestamptz,
      is_paused bool not null default false,
      paused_until date,
      only_liked bool not null default false,
      waiting_media uuid[] not null default '{}',
      answer_ends_on date,
      encrypted_areas bytea,
      area_added_on date,
      encrypted_places bytea,
      arrival text,
      arrival_zone text,
      arrival_fixed_until timestamptz,
      card_day_start timestamptz,
      card_day_end timestamptz,
      constraint profiles_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint profiles_sex check (sex in ('female', 'male')),
      constraint profiles_search_sex check (search_sex in ('female', 'male', 'all')),
      constraint profiles_range_unit check (search_range_unit in ('km', 'mile')),
      constraint profiles_range check (0 <= search_min_range and search_min_range <= search_max_range and search_max_range <= 500),
      constraint profiles_age check (0 <= search_min_age and search_min_age <= search_max_age and search_max_age <= 140),
      constraint profiles_place check (
        (cell is null) = (region is null) and (cell is null) = (sent_cell is null)
        and (cell is null) = (gps_updated_at is null)
        and (cell is null) = (cell_counted_at is null) and (cell is null or cell_changed_on is not null)),
      constraint profiles_location_precision check (location_precision in ('cell', 'town', 'region')),
      constraint profiles_arrival check (arrival in ('midnight', 'morning', 'noon', 'evening')),
      constraint profiles_arrival_zone check ((arrival is null) = (arrival_zone is null)),
      constraint profiles_card_day check ((card_day_start is null) = (card_day_end is null)),
      constraint profiles_pause check (is_paused or paused_until is null),
      constraint profiles_cell_changes check (cell_changes >= 0),
      constraint profiles_clear_icon check (clear_icon_media is null or icon_media is not null),
      constraint profiles_more_pictures check (
        jsonb_array_length(more_pictures) <= 2 and (more_pictures = '[]' or icon_media is not null))
    )`.execute(db);
  await sql`create index profiles_paused_until on profiles (paused_until) where paused_until is not null`.execute(
    db,
  );
  await sql`create index profiles_answer_ends_on on profiles (answer_ends_on) where answer_ends_on is not null`.execute(
    db,
  );
}
