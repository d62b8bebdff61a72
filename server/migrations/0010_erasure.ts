import { type Kysely, sql } from "kysely";

/** Finds invited members when the inviter is deleted or exports their data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index members_invited_by on members (invited_by) where invited_by is not null`.execute(db);
}
