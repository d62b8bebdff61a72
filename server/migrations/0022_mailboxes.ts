import { type Kysely, sql } from "kysely";

/** Changes of email addresses, and requests of members who cannot read theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence email_change_sequence as bigint`.execute(db);
  await sql`
    create table email_changes (
      member_no int8 not null,
      change_no int8 not null,
      changed_on date not null,
      encrypted_before bytea,
      stop_until timestamptz,
      is_stopped boolean not null default false,
      encrypted_after bytea,
      primary key (member_no, change_no)
    )`.execute(db);
  await sql`
    create table mailbox_requests (
      member_no int8 not null,
      request_id uuid not null,
      state text not null,
      asked_on date not null,
      told int2 not null default 0,
      confirm_until timestamptz,
      encrypted_content bytea,
      primary key (member_no, request_id),
      constraint mailbox_requests_state
        check (state in ('proven', 'open', 'stopped', 'rejected', 'done'))
    )`.execute(db);
}
