import { type Kysely, sql } from "kysely";

/** Which matches their member has not looked at yet. Those that are there count as looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table match_edges add column is_new boolean not null default false`.execute(db);
  await sql`alter table match_edges alter column is_new set default true`.execute(db);
}
