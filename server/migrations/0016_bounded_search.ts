import { type Kysely, sql } from "kysely";

/**
 * The index by age holds the region, so that a search of a few cells reads nothing else of a region; decks, which a
 * search makes anew, wait for no disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index searchables_ages on searchables (c4, sex, dob, region)`.execute(db);
  await sql`drop index searchables_age`.execute(db);
  await sql`alter index searchables_ages rename to searchables_age`.execute(db);
  await sql`alter table decks set unlogged`.execute(db);
}
