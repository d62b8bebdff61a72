import { type Kysely, sql } from "kysely";

/** Notices of new devices, corrections that an operator decides, and numbers of destroyed keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_notices (
      member_no int8 primary key,
      is_off boolean not null default false,
      emailed_on date
    )`.execute(db);
  await sql`
    create table corrections (
      member_no int8 not null,
      field text not null,
      correction_id uuid not null,
      state text not null,
      changed_on date not null,
      encrypted_request bytea,
      primary key (member_no, field),
      constraint corrections_field check (field in ('sex', 'date_of_birth')),
      constraint corrections_state check (state in ('waiting', 'done', 'rejected')),
      constraint corrections_request check ((state = 'waiting') = (encrypted_request is not null))
    )`.execute(db);
  await sql`create index corrections_waiting on corrections (changed_on, correction_id) where state = 'waiting'`.execute(
    db,
  );
  await sql`
    create table destroyed_keys (
      key_number int8 primary key,
      destroyed_on date not null
    )`.execute(db);
}
