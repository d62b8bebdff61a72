import { type Kysely, sql } from "kysely";

/** The message that a reply quotes, and conversations without notifications. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages add column encrypted_reply bytea`.execute(db);
  await sql`alter table inbox add column is_muted bool not null default false`.execute(db);
}
