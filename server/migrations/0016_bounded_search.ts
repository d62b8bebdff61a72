import { type Kysely, sql } from "kysely";

/**
 * Adds the region to the index by age, so that a search of a few cells reads no other rows of a region. Decks are
 * unlogged, because a search can rebuild them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index searchables_ages on searchables (far_cell, sex, birth_month, region)`.execute(db);
  await sql`drop index searchables_age`.execute(db);
  await sql`alter index searchables_ages rename to searchables_age`.execute(db);
  await sql`alter table decks set unlogged`.execute(db);
}
