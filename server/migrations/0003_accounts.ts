import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence session_use_sequence as bigint`.execute(db);
  await sql`
    create table sessions (
      member_no int8 not null,
      session_id uuid not null,
      refresh_digest bytea not null,
      device_digest bytea,
      encrypted_device_name bytea,
      created_at timestamptz not null,
      refreshed_at timestamptz not null,
      use_no int8 not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      parent_session_id uuid,
      language text not null,
      is_new boolean not null default false,
      primary key (member_no, session_id)
    )`.execute(db);
  await sql`create sequence code_request_sequence as bigint`.execute(db);
  await sql`
    create table codes (
      email_digest bytea not null,
      purpose text not null,
      browser_digest bytea not null,
      network_digest bytea not null,
      had_cookie boolean not null,
      is_silent boolean not null default false,
      code_digest bytea not null,
      browser_misses int4 not null default 0,
      network_misses int4 not null default 0,
      other_misses int4 not null default 0,
      is_confirmed boolean not null default false,
      agreed jsonb,
      request_no int8 not null,
      expires_at timestamptz not null,
      primary key (email_digest, purpose, browser_digest),
      constraint codes_purpose check (purpose in ('sign_up', 'reset_password', 'change_email')),
      constraint codes_browser_misses check (browser_misses between 0 and 5),
      constraint codes_network_misses check (network_misses between 0 and 5),
      constraint codes_other_misses check (other_misses between 0 and 5)
    )`.execute(db);
  await sql`
    create table spent_challenges (
      challenge_digest bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table sign_up_hours (
      hour timestamptz primary key,
      requests int4 not null
    )`.execute(db);
  await sql`
    create table socket_tickets (
      ticket_digest bytea primary key,
      member_no int8 not null,
      session_id uuid not null,
      expires_at timestamptz not null
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
      operator_id uuid,
      case_no int8,
      case_rule text,
      shows_on date
    )`.execute(db);
  await sql`create index operator_log_case on operator_log (case_no) where case_no is not null`.execute(db);
  await sql`create index operator_log_subject on operator_log (subject_no) where subject_no is not null`.execute(
    db,
  );
}
