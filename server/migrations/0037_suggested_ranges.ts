import { type Kysely, sql } from "kysely";

/** The upper end of the distance that a stored suggestion needs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table decks add column suggested_max_range smallint`.execute(db);
}
