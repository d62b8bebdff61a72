import { type Kysely, sql } from "kysely";

/** By whom a member was invited, found from the inviter's side: when that one is deleted or asks for its data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index members_invited_by on members (invited_by) where invited_by is not null`.execute(db);
}
