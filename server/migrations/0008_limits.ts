import { type Kysely, sql } from "kysely";

/** Rate limits and device names of sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: no hit waits for the disk, and a crash of the database clears all limits.
  await sql`
    create unlogged table rate_limits (
      subject_digest bytea primary key,
      hits timestamptz[] not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(db);
  await sql`alter table sessions add column encrypted_device_name bytea`.execute(db);
}
