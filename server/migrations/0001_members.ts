import { type Kysely, sql } from "kysely";

/** A member's row repeats the digest of their Google account, so that deletion finds the index row by key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence member_numbers as bigint`.execute(db);
  await sql`
    create table members (
      member_no int8 primary key,
      encrypted_user_id bytea not null,
      password_hash text,
      second_factor boolean not null default false,
      account_status text not null default 'active',
      language text not null,
      time_zone text,
      invited_by int8,
      brokerage_percentage int4,
      encrypted_email bytea,
      social_digest bytea,
      terms_version text not null,
      privacy_version text not null,
      encrypted_consents bytea not null,
      version_announced text,
      age_checked_on date,
      visited_on date not null,
      unused_warnings int2 not null default 0,
      unused_warned_on date,
      logins_stopped boolean not null default false,
      created_at timestamptz not null,
      constraint members_account_status check (account_status in ('active', 'suspended')),
      constraint members_not_self_invited check (invited_by <> member_no)
    )`.execute(db);
  await sql`create index members_visited_on on members (visited_on)`.execute(db);
  await sql`create index members_invited_by on members (invited_by) where invited_by is not null`.execute(db);
  await sql`
    create table logins (
      user_id_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`
    create table email_index (
      email_digest bytea primary key,
      member_no int8 not null,
      is_held boolean not null default false
    )`.execute(db);
  await sql`
    create table social_index (
      subject_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`
    create table mailboxes (
      mailbox_digest bytea primary key,
      member_nos int8[] not null
    )`.execute(db);
  await sql`
    create table former_accounts (
      mailbox_digest bytea not null,
      account_id uuid not null,
      deleted_on date not null,
      counters jsonb not null,
      primary key (mailbox_digest, account_id)
    )`.execute(db);
  await sql`
    create table former_user_ids (
      user_id_digest bytea primary key,
      deleted_on date not null
    )`.execute(db);
}
