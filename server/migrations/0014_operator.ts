import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operators (
      operator_id uuid primary key,
      name_digest bytea not null,
      encrypted_name bytea not null,
      added_on date not null,
      removed_on date
    )`.execute(db);
  await sql`create unique index operators_name on operators (name_digest) where removed_on is null`.execute(
    db,
  );
  await sql`
    create table operator_passkeys (
      credential_id bytea primary key,
      operator_id uuid not null,
      public_key bytea not null,
      sign_count int8 not null,
      transports text[] not null,
      added_on date not null,
      used_on date
    )`.execute(db);
  await sql`
    create table operator_enrolments (
      token_digest bytea primary key,
      operator_id uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table operator_sessions (
      session_digest bytea primary key,
      operator_id uuid not null,
      opened_at timestamptz not null,
      used_at timestamptz not null
    )`.execute(db);
  await sql`
    create table operator_requests (
      request_id uuid primary key,
      action text not null,
      operator_id uuid,
      subject_no int8,
      encrypted_details bytea,
      asked_on date not null,
      is_approved bool not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table case_claims (
      case_no int8 primary key,
      operator_id uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
}
