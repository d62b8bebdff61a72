import { type Kysely, sql } from "kysely";

/** Keys, rate limits, outcomes of calls, restorations, and the jobs that members' shards remember. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  // Unlogged: no hit waits for the disk, and a crash of the database clears all limits.
  await sql`
    create unlogged table rate_limits (
      subject_digest bytea primary key,
      hits timestamptz[] not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(db);
  await sql`
    create table call_outcomes (
      key_digest bytea primary key,
      encrypted_outcome bytea not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index call_outcomes_expires_at on call_outcomes (expires_at)`.execute(db);
  await sql`
    create table member_jobs (
      member_no int8 not null,
      job text not null,
      day date not null,
      primary key (member_no, job)
    )`.execute(db);
  await sql`create index member_jobs_day on member_jobs (day)`.execute(db);
  await sql`
    create table restorations (
      restoration_id uuid primary key,
      backup_at timestamptz not null,
      restored_at timestamptz not null,
      payments_resumed_at timestamptz
    )`.execute(db);
}
