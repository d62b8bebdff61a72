import { type Kysely, sql } from "kysely";

/** Restorations from a backup, which pause payments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restorations (
      restoration_id uuid primary key,
      backup_at timestamptz not null,
      restored_at timestamptz not null,
      payments_resumed_at timestamptz
    )`.execute(db);
}
