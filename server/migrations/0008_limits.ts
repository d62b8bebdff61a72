import { type Kysely, sql } from "kysely";

/** How often something was done of late, and what a session's device is called. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: after a crash of the database all counting begins anew, and no count waits for the disk.
  await sql`
    create unlogged table rate_limits (
      subject_digest bytea primary key,
      hits timestamptz[] not null,
      forgotten_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_forgotten_at on rate_limits (forgotten_at)`.execute(db);
  await sql`alter table sessions add column encrypted_device_name bytea`.execute(db);
}
