import { type Kysely, sql } from "kysely";

/** Clear pictures for chosen matches, kinds of pictures that no member sees, and an index to find files by id alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table profiles add column clear_icon_media uuid`.execute(db);
  await sql`
    alter table profiles add constraint profiles_clear_icon
      check (clear_icon_media is null or icon_media is not null)`.execute(db);
  await sql`alter table media_files drop constraint media_files_kind`.execute(db);
  await sql`
    alter table media_files
      add constraint media_files_kind check (kind in ('icon', 'message', 'clear', 'hidden', 'report'))`.execute(
    db,
  );
  await sql`create index media_files_id on media_files (media_id)`.execute(db);
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
