import { type Kysely, sql } from "kysely";

/** The filter change that would find candidates, stored with an empty deck. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table decks add column suggestion text`.execute(db);
  await sql`
    alter table decks add constraint decks_suggestion
        check (suggestion in ('wider_distance', 'wider_age', 'wider_distance_and_age', 'all_sexes'))`.execute(
    db,
  );
}
