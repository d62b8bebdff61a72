import { type Kysely, sql } from "kysely";

/** The member's row repeats the digest of their Google account, so that deletion finds the index row by key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table social_index (
      subject_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`alter table members add column social_digest bytea`.execute(db);
}
