import { type Kysely, sql } from "kysely";

/** For group commit: the statement that advances a conversation returns the previous message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column previous_message_id uuid`.execute(db);
}
