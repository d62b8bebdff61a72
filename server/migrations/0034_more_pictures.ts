import { type Kysely, sql } from "kysely";

/** The second and third picture of a member, in order: `[{ media, process, clear }]`. The first one has its own columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table profiles add column more_pictures jsonb not null default '[]'`.execute(db);
  await sql`
    alter table profiles
      add constraint profiles_more_pictures check (
        jsonb_array_length(more_pictures) <= 2 and (more_pictures = '[]' or icon_media is not null)
      )`.execute(db);
}
