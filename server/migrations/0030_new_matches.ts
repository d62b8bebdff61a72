import { type Kysely, sql } from "kysely";

/** Marks matches that the member has not opened. Existing matches count as opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table match_edges add column is_new boolean not null default false`.execute(db);
  await sql`alter table match_edges alter column is_new set default true`.execute(db);
}
