import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_files (
      member_no int8 not null,
      media_id uuid not null,
      kind text not null,
      claimed bool not null default false,
      is_voice bool not null,
      created_at timestamptz not null,
      encrypted_hash bytea,
      primary key (member_no, media_id),
      constraint media_files_kind check (kind in ('icon', 'message', 'clear', 'hidden', 'unsent', 'case', 'document'))
    )`.execute(db);
  await sql`create index media_files_unclaimed on media_files (created_at) where not claimed`.execute(db);
  await sql`create index media_files_id on media_files (media_id)`.execute(db);
}
