import { type Kysely, sql } from "kysely";

/** What a pair's last message was before it: the statement that moves a pair on answers it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column previous_message_id uuid`.execute(db);
}
