import { type Kysely, sql } from "kysely";

/** Documents that wait for an operator, and the last outcome. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table age_checks (
      member_no int8 primary key,
      check_id uuid not null,
      state text not null,
      changed_on date not null,
      expires_at timestamptz,
      key_id int8,
      media_id uuid,
      constraint age_checks_state check (state in ('waiting', 'unreadable', 'different', 'expired')),
      constraint age_checks_picture check ((state = 'waiting') = (key_id is not null and media_id is not null))
    )`.execute(db);
  await sql`create index age_checks_waiting on age_checks (changed_on, check_id) where state = 'waiting'`.execute(
    db,
  );
}
