import { type Kysely, sql } from "kysely";

/** Keys, members, logins, sessions and codes. Tables keyed by digests of user id and email keep these unique. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence member_numbers as bigint`.execute(db);
  await sql`
    create table data_keys (
      key_id int8 primary key,
      master_key text not null,
      wrapped_key bytea not null
    )`.execute(db);
  await sql`
    create table master_keys (
      key_id text primary key,
      state text not null,
      check_value bytea not null,
      changed_on date not null,
      constraint master_keys_state check (state in ('new', 'active', 'replaced', 'retired'))
    )`.execute(db);
  await sql`
    create table server_processes (
      process_id uuid primary key,
      key_ids text[] not null,
      active_key text not null,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`create table database_ids (database_id uuid primary key)`.execute(db);
  await sql`insert into database_ids (database_id) values (gen_random_uuid())`.execute(db);
  await sql`
    create table members (
      member_no int8 primary key,
      encrypted_user_id bytea not null,
      password_hash text,
      account_status text not null default 'active',
      encrypted_suspension_reason bytea,
      language text not null,
      invited_by int8,
      brokerage_percentage int4,
      encrypted_email bytea,
      sensitive_agreed_at timestamptz,
      created_at timestamptz not null,
      constraint members_account_status check (account_status in ('active', 'suspended')),
      constraint members_not_self_invited check (invited_by <> member_no)
    )`.execute(db);
  await sql`
    create table logins (
      user_id_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`
    create table email_index (
      email_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`create sequence session_use_sequence as bigint`.execute(db);
  await sql`
    create table sessions (
      member_no int8 not null,
      session_id uuid not null,
      refresh_digest bytea not null,
      device_digest bytea,
      created_at timestamptz not null,
      refreshed_at timestamptz not null,
      use_no int8 not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      is_for_purchases boolean not null default false,
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
      sensitive_agreed_at timestamptz,
      request_no int8 not null,
      expires_at timestamptz not null,
      primary key (email_digest, purpose, browser_digest),
      constraint codes_purpose check (purpose in ('sign_up', 'reset_password')),
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
    create table socket_tickets (
      ticket_digest bytea primary key,
      member_no int8 not null,
      session_id uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
}
