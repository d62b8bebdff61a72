import { type Kysely, sql } from "kysely";

/** Unconfirmed transfers of deleted members keep their id and address while they may be sent again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table closed_transfers add column transfer_id uuid`.execute(db);
  await sql`alter table closed_transfers add column encrypted_email bytea`.execute(db);
  await sql`alter table closed_transfers add column next_poll_at timestamptz`.execute(db);
  await sql`
    alter table closed_transfers add constraint closed_transfers_left
      check (case when state = 'sending' then (encrypted_email is null) = (next_poll_at is null)
        else transfer_id is null and encrypted_email is null and next_poll_at is null end)`.execute(db);
  await sql`
    create index closed_transfers_next_poll_at on closed_transfers (next_poll_at) where next_poll_at is not null`.execute(
    db,
  );
}
