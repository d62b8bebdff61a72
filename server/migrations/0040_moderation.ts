import { type Kysely, sql } from "kysely";

/** Pictures of suspended members, networks of sign-ups, and operators of the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table suspended_pictures (
      member_no int8 not null,
      media_id uuid not null,
      hash bit(128) not null,
      suspended_on date not null,
      primary key (member_no, media_id)
    )`.execute(db);
  await sql`
    create table picture_flags (
      member_no int8 not null,
      flag_id uuid not null,
      media_id uuid not null,
      similar_to int8 not null,
      flagged_on date not null,
      primary key (member_no, flag_id),
      constraint picture_flags_once unique (member_no, media_id, similar_to),
      constraint picture_flags_not_self check (member_no <> similar_to)
    )`.execute(db);
  await sql`create index picture_flags_similar on picture_flags (similar_to)`.execute(db);
  await sql`
    create table sign_up_networks (
      network_digest bytea not null,
      member_no int8 not null,
      signed_up_on date not null,
      primary key (network_digest, member_no)
    )`.execute(db);
  await sql`create index sign_up_networks_member on sign_up_networks (member_no)`.execute(db);
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
    create table operator_challenges (
      challenge_digest bytea primary key,
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
    create table case_claims (
      case_id uuid primary key,
      operator_id uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
}
