import { type Kysely, sql } from "kysely";

/** Rate limits, device names of sessions, and the jobs that members' shards remember. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: no hit waits for the disk, and a crash of the database clears all limits.
  await sql`
    create unlogged table rate_limits (
      subject_digest bytea primary key,
      hits timestamptz[] not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(db);
  await sql`
    create table member_jobs (
      member_no int8 not null,
      job text not null,
      day date not null,
      primary key (member_no, job)
    )`.execute(db);
  await sql`create index member_jobs_day on member_jobs (day)`.execute(db);
  await sql`alter table sessions add column encrypted_device_name bytea`.execute(db);
}
