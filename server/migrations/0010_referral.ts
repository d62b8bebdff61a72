import { type Kysely, sql } from "kysely";

/**
 * Referral ledger in USD cents, and members' PayPal accounts as digests. Partial unique indexes allow one fee per order and
 * one return per transfer. Unconfirmed transfers of deleted members keep their id and address while they may be sent again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence transfer_sequence as bigint`.execute(db);
  await sql`
    create table transfers (
      member_no int8 not null,
      transfer_id uuid not null,
      usd_cents int4 not null,
      state text not null,
      encrypted_email bytea,
      payout_batch_id text,
      created_at timestamptz not null,
      encrypted_created_at bytea not null,
      sequence_no int8 not null,
      next_poll_at timestamptz,
      primary key (member_no, transfer_id),
      constraint transfers_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint transfers_amount check (usd_cents >= 1000),
      constraint transfers_state check (state in ('sending', 'accepted', 'paid', 'failed', 'returned')),
      constraint transfers_email check ((state = 'sending') = (encrypted_email is not null))
    )`.execute(db);
  await sql`create index transfers_next_poll_at on transfers (next_poll_at) where next_poll_at is not null`.execute(
    db,
  );
  await sql`create index transfers_id on transfers (transfer_id)`.execute(db);
  await sql`create sequence ledger_sequence as bigint`.execute(db);
  await sql`
    create table ledger_entries (
      member_no int8 not null,
      entry_id uuid not null,
      kind text not null,
      usd_cents int4 not null,
      order_id uuid,
      percentage int4,
      transfer_id uuid,
      at timestamptz not null,
      sequence_no int8 not null,
      available_at timestamptz,
      primary key (member_no, entry_id),
      constraint ledger_entries_member foreign key (member_no) references members (member_no) on delete cascade,
      constraint ledger_entries_transfer foreign key (member_no, transfer_id)
        references transfers (member_no, transfer_id) on delete cascade,
      constraint ledger_entries_kind check (kind in ('fee', 'fee_reversed', 'transfer', 'transfer_returned')),
      constraint ledger_entries_sign check (
        case when kind in ('fee', 'transfer_returned') then usd_cents > 0 else usd_cents < 0 end),
      constraint ledger_entries_about check (
        case when kind in ('fee', 'fee_reversed') then order_id is not null and transfer_id is null
          else order_id is null and transfer_id is not null end),
      constraint ledger_entries_percentage check ((kind = 'fee') = (percentage is not null)),
      constraint ledger_entries_available check ((kind in ('fee', 'fee_reversed')) = (available_at is not null))
    )`.execute(db);
  await sql`
    create unique index ledger_entries_fee on ledger_entries (member_no, order_id) where kind = 'fee'`.execute(
    db,
  );
  await sql`
    create unique index ledger_entries_transfer on ledger_entries (member_no, transfer_id, kind)
      where transfer_id is not null`.execute(db);
  await sql`
    create index ledger_entries_order on ledger_entries (order_id) where order_id is not null`.execute(db);
  await sql`
    create table paypal_accounts (
      member_no int8 not null,
      account_digest bytea not null,
      encrypted_mark bytea not null,
      primary key (member_no, account_digest),
      constraint paypal_accounts_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create table closed_transfers (
      archive_id uuid primary key,
      usd_cents int4 not null,
      state text not null,
      payout_batch_id text,
      sent_on date not null,
      transfer_id uuid,
      encrypted_email bytea,
      next_poll_at timestamptz,
      constraint closed_transfers_left check (
        case when state = 'sending' then (encrypted_email is null) = (next_poll_at is null)
          else transfer_id is null and encrypted_email is null and next_poll_at is null end)
    )`.execute(db);
  await sql`
    create index closed_transfers_next_poll_at on closed_transfers (next_poll_at) where next_poll_at is not null`.execute(
    db,
  );
}
