import { type Kysely, sql } from "kysely";

/** That this database was filled from a backup, and whether payments may go on since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restorations (
      restoration_id uuid primary key,
      backup_at timestamptz not null,
      restored_at timestamptz not null,
      payments_released_at timestamptz
    )`.execute(db);
}
