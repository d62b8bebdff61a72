import { type Kysely, sql } from "kysely";

/** Memberships and their grants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table memberships (
      member_no int8 primary key,
      paid_until_hour timestamptz not null,
      encrypted_paid_until bytea not null,
      remind_at timestamptz,
      constraint memberships_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create index memberships_remind_at on memberships (remind_at) where remind_at is not null`.execute(db);
  await sql`
    create table grants (
      member_no int8 not null,
      grant_id uuid not null,
      year int4 not null,
      month int4 not null,
      source text not null,
      at timestamptz not null,
      encrypted_at bytea not null,
      primary key (member_no, grant_id),
      constraint grants_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint grants_plan check (year >= 0 and month >= 0 and year + month > 0),
      constraint grants_source check (source in ('operator'))
    )`.execute(db);
  await sql`create sequence operator_log_sequence as bigint`.execute(db);
  await sql`
    create table operator_log (
      entry_id uuid primary key,
      at timestamptz not null,
      sequence_no int8 not null,
      action text not null,
      subject_no int8,
      subject_deleted boolean not null default false,
      encrypted_reason bytea,
      operator_id uuid
    )`.execute(db);
}
