import { type Kysely, sql } from "kysely";

/**
 * Accounts of other services: a keyed digest of provider and subject, each once, leads to the member. The member keeps
 * the same digest, so that its row is found by key when the member is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table social_index (
      subject_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`alter table members add column social_digest bytea`.execute(db);
}
